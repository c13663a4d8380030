package live

// The names of the parts.
const (
	Lasso            = "lasso"
	LivenessToSafety = "l2s"
	KLiveness        = "k-liveness"
	RLive            = "rlive"
)

// parts holds all ways to answer, in the order of their first turns.
var parts = []Part{
	{Lasso, "bounded search for lassos, for justice properties", 2, searchLasso, true},
	{LivenessToSafety, "IC3 on liveness to safety, for justice properties: it searches for a state that recurs and never proves", 1, livenessToSafety, true},
	{KLiveness, "IC3 on the number of rounds, for justice properties: it proves", 2, kLiveness, false},
	{RLive, "IC3 from round to round, for justice properties", 2, rlive, false},
}

// Parts returns all ways to answer the question.
func Parts() []Part { return append([]Part(nil), parts...) }
