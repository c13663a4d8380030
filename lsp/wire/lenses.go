package wire

// ClientCommand is a command that a client runs by itself, for the lenses of a property or
// of a file. Its argument is a PropertyParams.
type ClientCommand string

// The commands that the server knows to name.
const (
	ClientShowTrace    ClientCommand = "aiglens.showTrace"              // of a counterexample, at its last step
	ClientShowWhy      ClientCommand = "aiglens.whyFails"               // why the property fails
	ClientDebug        ClientCommand = "aiglens.debugCounterexample"    // in a debugger
	ClientShowProof    ClientCommand = "aiglens.showProof"              // what CommandProof answers
	ClientExplainNone  ClientCommand = "aiglens.explainNoProperties"    // why the file has no properties
	ClientVerifyEdit   ClientCommand = "aiglens.verifyEdit"             // compares with the text before, as CompareParams say
	ClientShowObstacle ClientCommand = "aiglens.showObstacle"           // what aiglens.obstacle answers
	ClientReduce       ClientCommand = "aiglens.reduceToCounterexample" // shows what CommandReduce answers
	ClientDrawCone     ClientCommand = "aiglens.drawCone"               // shows what CommandDraw answers
	ClientDrawStates   ClientCommand = "aiglens.drawStates"             // shows what CommandStates answers
	ClientIsolate      ClientCommand = "aiglens.showWhatIsHard"         // shows what CommandIsolate answers
	ClientReach        ClientCommand = "aiglens.showReaching"           // shows what CommandReach answers about the signal at the position
	ClientSuggest      ClientCommand = "aiglens.suggestLemmas"          // offers what CommandSuggest answers
)
