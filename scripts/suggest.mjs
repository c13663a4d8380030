// Measures what suggested lemmas are worth: draws circuits that the program does not answer
// within a limit, and asks how many of them it proves with the first suggestions as they are
// offered. docs/journal/proofs.md has the results.
//
//   node scripts/suggest.mjs draw AIGLENS JOURNAL [--seed 19] [--count 30] [--cpu 20s] [--tiers hard,open]
//   node scripts/suggest.mjs try AIGLENS JOURNAL [--first 3] [--cpu 20s] [--before 5s] [--again]
//   node scripts/suggest.mjs summary JOURNAL
//
// AIGLENS_SHARED (../shared) has the circuits. The journal has one JSON object a line; what is in
// it is not run again. One process runs at a time, within a limit of processor time.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const args = process.argv.slice(2)
const option = (name, other) => (args.includes(name) ? args[args.indexOf(name) + 1] : other)
const shared = resolve(process.env.AIGLENS_SHARED ?? '../shared')
const benchmarks = join(shared, 'benchmarks')
const cpu = option('--cpu', '20s')

// A generator of random numbers that is the same everywhere (Marsaglia's xorshift).
function generator(seed) {
  let x = (seed * 2654435761 + 1) | 0 || 1
  return () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return x >>> 0
  }
}

// drawn returns the files with one safety property of some tiers, in an order that depends on
// the seed alone.
function drawn(tiers, seed) {
  const [head, ...lines] = readFileSync(join(benchmarks, 'peers.csv'), 'utf8').trim().split('\n')
  const columns = head.split(',')
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [columns[i], cell])))
  const files = rows.filter((r) => tiers.includes(r.tier) && /^[ob]0$/.test(r.property)).map((r) => ({ file: r.file, property: r.property, expected: r.expected, tier: r.tier }))
  const random = generator(seed)
  for (let i = files.length - 1; i > 0; i--) {
    const j = random() % (i + 1)
    ;[files[i], files[j]] = [files[j], files[i]]
  }
  return files
}

const indexOf = (property) => (property === 'o0' ? 'output:0' : 'bad:0')

// run returns the lines that the program writes.
function run(program, ...flags) {
  const { stdout, stderr, error } = spawnSync(program, flags, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (error) throw error
  const lines = stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  if (lines.length === 0) throw new Error(`${flags.join(' ')}: ${stderr}`)
  return lines
}

const journalOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [])

// draw checks files until enough of them have no answer.
function draw(program, path) {
  const count = Number(option('--count', '30'))
  const files = drawn(option('--tiers', 'hard,open').split(','), Number(option('--seed', '19')))
  let known = journalOf(path).filter((r) => r.kind === 'draw')
  for (const f of files) {
    if (known.filter((r) => r.verdict === 'unknown').length === count) return
    if (known.some((r) => r.file === f.file)) continue
    const [found] = run(program, 'check', '--no-cache', '--timeout', '0', '--cpu', cpu, '--format', 'json', '--index', indexOf(f.property), join(benchmarks, f.file))
    const row = { kind: 'draw', ...f, verdict: found.verdict, reason: found.reason, depth: found.depth, seconds: found.seconds }
    appendFileSync(path, `${JSON.stringify(row)}\n`)
    known = [...known, row]
  }
}

// tryOut asks for suggestions for what was drawn, and for another check with the first of them.
function tryOut(program, path) {
  const first = option('--first', '3')
  const done = new Set(journalOf(path).filter((r) => r.kind === 'try').map((r) => r.file))
  for (const f of journalOf(path).filter((r) => r.kind === 'draw' && r.verdict === 'unknown' && !done.has(r.file))) {
    const lines = run(program, 'suggest', '--timeout', '0', '--cpu', cpu, '--before', option('--before', '0'), '--trial', option('--trial', '1s'), '--trials', option('--trials', '24'),
      '--first', first, '--try', first, ...(args.includes('--again') ? ['--again'] : []), '--format', 'json', '--index', indexOf(f.property), join(benchmarks, f.file))
    const of = (type) => lines.filter((line) => line.type === type)
    const short = (r) => r && { verdict: r.verdict, reason: r.reason, depth: r.depth, clauses: r.clauses, seconds: r.seconds }
    const row = {
      kind: 'try', file: f.file, property: f.property, expected: f.expected, tier: f.tier, check: short(of('check')[0]), again: short(of('again')[0]),
      suggestions: of('suggestion').map((s) => ({ kind: s.kind, clauses: s.clauses, latches: s.latches, enough: s.enough, inductive: s.inductive, stronger: s.stronger, steps: s.steps })),
      took: of('suggestion')[0]?.seconds, lemmas: of('lemma').map(short), tried: short(of('tried')[0]),
    }
    appendFileSync(path, `${JSON.stringify(row)}\n`)
  }
}

// summary says what came of it.
function summary(path) {
  const rows = journalOf(path).filter((r) => r.kind === 'try')
  const count = (is) => rows.filter(is).length
  const lemmas = rows.flatMap((r) => r.lemmas)
  console.log(`${journalOf(path).filter((r) => r.kind === 'draw').length} drawn, ${rows.length} of those without an answer tried`)
  console.log(`suggestions for ${count((r) => r.suggestions.length > 0)}, enough in a trial for ${count((r) => r.suggestions.some((s) => s.enough))}`)
  console.log(`lemmas: ${['proved', 'refuted', 'unknown'].map((v) => `${lemmas.filter((l) => l.verdict === v).length} ${v}`).join(', ')}`)
  for (const what of ['check', 'again', 'tried']) console.log(`${what}: ${['proved', 'refuted', 'unknown'].map((v) => `${count((r) => r[what]?.verdict === v)} ${v}`).join(', ')}`)
  for (const r of rows.filter((r) => [r.again, r.tried].some((v) => v && v.verdict !== 'unknown'))) console.log(`  ${r.file}: again ${r.again?.verdict}, tried ${r.tried?.verdict}`)
}

const [what, program, journal] = args
if (what === 'draw') draw(program, journal)
else if (what === 'try') tryOut(program, journal)
else if (what === 'summary') summary(program)
else {
  console.error('usage: node scripts/suggest.mjs draw|try AIGLENS JOURNAL | summary JOURNAL; see the first lines of the script')
  process.exitCode = 2
}
