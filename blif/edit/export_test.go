package edit

// Functions that are offered through Changes, for the tests.
var (
	ComplementCover  = complementCover
	FlattenInstance  = flattenInstance
	FlattenInstances = flattenInstances
	MinimiseCover    = minimiseCover
	ErrNotFormatted  = errNotFormatted
	NameColumns      = nameColumns
)
