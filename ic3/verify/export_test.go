package verify

// CPUTime is cpuTime for tests.
var CPUTime = cpuTime
