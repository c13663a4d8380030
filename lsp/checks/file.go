package checks

import (
	"cmp"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/verify"
)

// File holds what is known of the properties of one file. Its methods return what is to
// be done, in this order.
type File struct {
	verdicts
	slots map[circuit.Property]*Slot // ∀p: slots[p].place = p
	// text is the present one. The slots refer to the rows of text placed ≤ text, which
	// are rows, and of places where nothing stands any more.
	text, placed Text
	rows         []design.Property
	analysis     *Analysis                  // of the present text, nil until it is known; ≠ nil ⇒ placed = text
	known        map[circuit.Property]Known // the verdicts of the last text that was analysed
	active       int                        // slots with a run that the user waits for
	requests     map[Request]*request       // those for which a slot waits
	lastRequest  Request
}

// request is one of the user's while it is being prepared. Its slots are held on to by
// the place that they had when it came, and so found wherever their rows have moved.
type request struct {
	text    Text // that it is about
	slots   map[circuit.Property]*Slot
	waiting int // slots that still wait: > 0
}

// New returns a file of which nothing is known.
func New() *File {
	return &File{
		verdicts: verdicts{results: map[circuit.Fingerprint]verify.Result{}},
		slots:    map[circuit.Property]*Slot{}, placed: -1, requests: map[Request]*request{},
	}
}

// Edited says that the text is another, or another is read into it.
func (f *File) Edited() { f.text, f.analysis = f.text+1, nil }

// Text returns the number of the present text.
func (f *File) Text() Text { return f.text }

// IsAnalysed reports whether the circuit of the present text is known.
func (f *File) IsAnalysed() bool { return f.analysis != nil }

// Active returns how many runs the user waits for.
func (f *File) Active() int { return f.active }

// IsBusy reports whether the user waits for a run or for the answer to a request.
func (f *File) IsBusy() bool { return f.active > 0 || len(f.requests) > 0 }

// Job returns what the run of a property is about; zero when there is none.
func (f *File) Job(p circuit.Property) Job {
	if s := f.slots[p]; s != nil {
		return s.job
	}
	return Job{}
}

// IsDue reports whether a scheduler is still to be given the run of a property: an effect
// may have been overtaken by the event after it.
func (f *File) IsDue(p circuit.Property) bool {
	s := f.slots[p]
	return s != nil && s.isDue()
}

// IsAwaited reports whether the result of a run would be taken in.
func (f *File) IsAwaited(p circuit.Property, r Run) bool {
	s := f.slots[p]
	return s != nil && s.awaits(r)
}

// Failed returns the properties of the text with these rows that are refuted or unknown,
// and for which nothing runs.
func (f *File) Failed(rows []design.Property) (failed []circuit.Property, effects []Effect) {
	effects = f.carry(f.text, rows)
	for _, row := range rows {
		if s := f.slots[row.ID]; s != nil && s.last != nil && verify.StandingOf(row.ID.Kind, s.last.Checked.Outcome()) != verify.Passed && !s.hasRun() {
			failed = append(failed, row.ID)
		}
	}
	return failed, effects
}

// Ask handles a request of the user for some properties of the present text. Its answer
// is due.
func (f *File) Ask(rows []design.Property, properties []circuit.Property) (Request, []Effect) {
	effects := f.carry(f.text, rows)
	f.lastRequest++
	r := &request{text: f.text, slots: make(map[circuit.Property]*Slot, len(properties))}
	f.requests[f.lastRequest] = r
	for _, p := range properties {
		if r.slots[p] == nil {
			r.slots[p] = f.slot(p)
			r.waiting++
			effects = append(effects, f.on(r.slots[p], Asked{f.lastRequest})...)
		}
	}
	if r.waiting == 0 {
		delete(f.requests, f.lastRequest)
		effects = append(effects, Abandon{f.lastRequest})
	}
	return f.lastRequest, effects
}

// Answer begins the runs of a request for the properties that still wait for it.
func (f *File) Answer(n Request, jobs []Job, first circuit.Property) (effects []Effect) {
	r := f.requests[n]
	if r == nil {
		return nil
	}
	var placed []Job
	for _, j := range jobs {
		if s := r.slots[j.Property]; s != nil && s.request == n {
			j.place, j.text = s.place, r.text
			placed = append(placed, j)
		}
	}
	inOrder(placed, first)
	for _, j := range placed {
		s := f.slots[j.place]
		effects = append(effects, f.on(s, Answered{n, f.equip(s, j)})...)
	}
	for _, s := range r.slots { // with a fault
		if s.request == n {
			effects = append(effects, f.on(s, Refused{n})...)
		}
	}
	return effects
}

// Save begins the runs of a saved text whose verdict is not known. A run about another
// cone than the saved one ends, also where its property is gone, unless the user has
// asked for it in a later text.
func (f *File) Save(text Text, rows []design.Property, jobs []Job, first circuit.Property) []Effect {
	placed, present, effects := f.place(text, rows, jobs)
	inOrder(placed, first)
	for _, j := range placed {
		s := f.slot(j.place)
		j.text = text
		r, done := f.results[j.Fingerprint]
		done = done && j.settles(r)
		switch {
		case s.isActiveAfter(text):
			continue
		case s.last != nil && s.last.Unsupported:
			done = true
		case done:
			effects = append(effects, f.recognise(s, r)...)
		}
		if !done {
			effects = append(effects, f.on(s, Saved{f.equip(s, j)})...)
		} else if s.hasRun() && !s.job.isAbout(j) {
			effects = append(effects, f.on(s, Outdated{})...)
		}
	}
	for p, s := range f.slots {
		if !present[p] && s.hasRun() && !s.isActiveAfter(text) {
			effects = append(effects, f.on(s, Outdated{})...)
		}
	}
	return effects
}

// recognise shows a verdict that was found for another property with the same cone,
// or when the text was another, and that the analysis of the present one did not know.
// One that is under way knows it.
func (f *File) recognise(s *Slot, r verify.Result) []Effect {
	if f.analysis == nil {
		return nil
	}
	if _, shown := f.analysis.verdicts[s.place]; shown {
		return nil
	}
	return []Effect{Relate{s.place, Run{}, &r}}
}

// Open asks the cache for the verdicts of a text whose check was not requested.
func (f *File) Open(text Text, rows []design.Property, jobs []Job) []Effect {
	placed, _, effects := f.place(text, rows, jobs)
	for _, j := range placed {
		s := f.slot(j.place)
		effects = append(effects, f.on(s, Opened{f.equip(s, j)})...)
	}
	return effects
}

// On handles an event of one property. Of the properties of which nothing is known none
// has any.
func (f *File) On(p circuit.Property, event Event) []Effect {
	s := f.slots[p]
	if s == nil {
		return nil
	}
	if e, is := event.(Finished); is {
		return f.finished(s, e)
	}
	return f.on(s, event)
}

// All handles an event of all properties.
func (f *File) All(event Event) (effects []Effect) {
	for _, s := range f.slots {
		effects = append(effects, f.on(s, event)...)
	}
	return effects
}

// finished remembers a result, whatever text it is about.
func (f *File) finished(s *Slot, e Finished) []Effect {
	if !s.awaits(e.Run) || s.state == Recalled && !e.Result.Checked.Certified() {
		return f.on(s, e)
	}
	e.Result.Fingerprint = s.job.Fingerprint // an engine that refuses the circuit does not get as far
	e.Result = f.better(e.Result)
	f.remember(e.Result, f.limit())
	effects := []Effect{Learn{s, s.job.Circuit, s.job.Names, e.Result}}
	related := f.on(s, e)
	if f.analysis != nil {
		return append(effects, related...)
	}
	if e.Result.Lost {
		if f.lost == nil {
			f.lost = map[circuit.Fingerprint]verify.Result{}
		}
		f.lost[e.Result.Fingerprint] = e.Result
	}
	return append(append(effects, f.on(s, Related{e.Run})...), Analyse{})
}

func (f *File) limit() int { return max(maxResults, 2*len(f.slots)) }

// Relate handles what a verdict means for a text. For a later one it means nothing; but
// a run ends with it all the same.
func (f *File) Relate(text Text, p circuit.Property, r Relation) []Effect {
	s := f.slots[p]
	if s == nil || r.Run != (Run{}) && (s.state != Relating || s.run != r.Run) {
		return nil
	}
	current := r.Current && text == f.text && f.analysis != nil
	if current {
		f.show(s, r.Known, r.doc)
	}
	switch {
	case r.Run != (Run{}):
		return f.on(s, Related{r.Run})
	case current:
		s.last = r.Known.Result
		return []Effect{Show{Property: p}}
	}
	return nil
}

// show applies a verdict to the present text, which is that of doc.
func (f *File) show(s *Slot, k Known, doc *design.Design) {
	f.analysis.verdicts[s.place] = k
	s.keepTrace(k, doc)
}

// Import adds a verdict about the present text that no run has found, and ends what
// runs. The text must have been analysed.
func (f *File) Import(doc *design.Design, row design.Property, r verify.Result, k Known) []Effect {
	s := f.slot(row.ID)
	effects := f.on(s, Stopped{})
	s.last = &r
	f.remember(r, f.limit())
	f.show(s, k, doc)
	return append(effects, Record{row.ID, row.Name, doc.Version, &r}, Show{Property: row.ID})
}

// Analysed takes over the analysis of the present text.
func (f *File) Analysed(a *Analysis) []Effect {
	effects := f.carry(f.text, a.doc.Properties())
	f.analysis, f.known, f.lost = a, a.verdicts, nil
	for p, k := range a.verdicts {
		s := f.slot(p)
		s.last = k.Result
		s.keepTrace(k, a.doc)
	}
	return effects
}

// slot returns the slot of a property, which is made on first use.
func (f *File) slot(p circuit.Property) *Slot {
	s := f.slots[p]
	if s == nil {
		s = &Slot{place: p}
		f.slots[p] = s
	}
	return s
}

// on gives an event to a slot and counts what it leaves. Every event of a slot passes
// here.
func (f *File) on(s *Slot, event Event) []Effect {
	wasActive, waitedFor := s.isActive(), s.request
	effects := s.On(event)
	if waitedFor != 0 && waitedFor != s.request {
		r := f.requests[waitedFor]
		if r.waiting--; r.waiting == 0 {
			delete(f.requests, waitedFor)
			effects = append(effects, Abandon{waitedFor})
		}
	}
	switch {
	case !wasActive && s.isActive():
		f.active++
	case wasActive && !s.isActive():
		f.active--
		if f.active == 0 && f.analysis != nil {
			effects = append(effects, Settled{})
		}
	}
	return effects
}

// inOrder sorts jobs as schedulers take them, that of the preferred place first: one may
// begin with the first before it has been given the others.
func inOrder(jobs []Job, first circuit.Property) {
	slices.SortStableFunc(jobs, func(a, b Job) int {
		switch first {
		case a.place:
			return -1
		case b.place:
			return 1
		}
		return cmp.Compare(a.Size, b.Size)
	})
}
