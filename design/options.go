package design

// Options say how texts are read: for each format a value of its own, which means
// nothing to others. The zero value is the usual way. Options are comparable, as all
// values in them must be.
type Options struct {
	first   any       // an option, or nil
	without WordForms // names of these forms make no words
}

// option is an element of a list in the order of the languages.
type option struct {
	language string
	value    any
	rest     any // an option, or nil
}

// Of returns the value of a format, or nil.
func (o Options) Of(f *Format) any {
	for at, ok := o.first.(option); ok; at, ok = at.rest.(option) {
		if at.language == f.Language() {
			return at.value
		}
	}
	return nil
}

// With returns options with another value for a format.
func (o Options) With(f *Format, value any) Options {
	o.first = with(o.first, f.Language(), value)
	return o
}

func with(list any, language string, value any) any {
	at, ok := list.(option)
	switch {
	case !ok || language < at.language:
		return option{language, value, list}
	case language == at.language:
		return option{language, value, at.rest}
	}
	return option{at.language, at.value, with(at.rest, language, value)}
}
