// Compares circuits with what ABC, Yosys and the program itself make of them, and with the same
// after a gate was changed: each answer of `aiglens equiv` is held against `dsec` of ABC, against
// random runs, and where circuits are said to differ against a simulation that is written here. Of
// circuits without latches `cec` is asked instead. ABC has the same CPU time.
//
//   node scripts/pairs.mjs AIGLENS JOURNAL [--tiers smoke,small] [--corpora] [--cpu 5] [--share K/N] [--ways dc2,yosys] [--changed N]
//   node scripts/pairs.mjs --summary JOURNAL…
//
// AIGLENS_SHARED (../shared) has the circuits. The journal has one JSON object a line; what is in
// it is not run again. --share runs every N-th file, from the K-th on, in an order that is drawn by
// chance, always the same one: whenever the run ends, each way has a fair part. --ways makes other
// circuits in these ways only. A gate is changed of one pair in N, drawn by chance; of all unless
// told.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

const args = process.argv.slice(2)
const option = (name, other) => (args.includes(name) ? args[args.indexOf(name) + 1] : other)
const shared = resolve(process.env.AIGLENS_SHARED ?? '../shared')

// chance returns 32 bits that belong to a text.
const chance = (text) => createHash('sha256').update(text).digest().readUInt32LE()

// A generator of random numbers that is the same everywhere (Marsaglia's xorshift).
function generator(seed) {
  let x = (seed * 2654435761 + 1) | 0 || 1
  return () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return x
  }
}

// readAAG reads AIGER as text, for what the referee needs of it.
function readAAG(path) {
  const lines = readFileSync(path, 'latin1').split('\n')
  const header = lines[0].split(' ').slice(1).map(Number)
  const [m, i, l, o, a, b = 0, c = 0, j = 0, f = 0] = header
  let at = 1
  const take = (n) => Array.from({ length: n }, () => lines[at++].split(' ').map(Number))
  const circuit = { max: m, inputs: take(i), latches: take(l), outputs: take(o), bads: take(b), constraints: take(c) }
  const sizes = take(j)
  circuit.justice = sizes.map(([n]) => take(n))
  circuit.fairness = take(f)
  circuit.from = at
  circuit.ands = take(a)
  circuit.lines = lines
  circuit.functions = circuit.latches.filter(([lit, , reset = 0]) => reset > 1 && reset !== lit)
  return circuit
}

// inOrder returns the gates so that operands come first.
function inOrder(c) {
  if (c.order) return c.order
  const gate = new Map(c.ands.map((g) => [g[0] >> 1, g]))
  const order = []
  const seen = new Set()
  for (const [lhs] of c.ands) {
    const stack = [lhs >> 1]
    while (stack.length > 0) {
      const v = stack[stack.length - 1]
      const g = gate.get(v)
      if (!g || seen.has(v)) {
        stack.pop()
        continue
      }
      const open = [g[1] >> 1, g[2] >> 1].filter((w) => gate.has(w) && !seen.has(w))
      if (open.length > 0) stack.push(...open)
      else {
        seen.add(v)
        order.push(g)
        stack.pop()
      }
    }
  }
  return (c.order = order)
}

// Simulation has 32 runs at once, a bit each.
class Simulation {
  constructor(c, initial) {
    this.c = c
    this.values = new Int32Array(c.max + 1)
    this.isFirst = true
    c.latches.forEach(([lit, , reset = 0], i) => (this.values[lit >> 1] = reset === lit ? initial(i) : reset === 1 ? -1 : 0))
    this.alive = -1 // runs that have met the constraints so far
  }
  value(lit) {
    return lit & 1 ? ~this.values[lit >> 1] : this.values[lit >> 1]
  }
  eval(input) {
    this.c.inputs.forEach(([lit], i) => (this.values[lit >> 1] = input(i)))
    this.gates()
    // Resets that are functions become stable, since none depends on its own latch.
    for (let open = this.isFirst; open; ) {
      open = false
      for (const [lit, , reset] of this.c.functions) {
        open ||= this.values[lit >> 1] !== this.value(reset)
        this.values[lit >> 1] = this.value(reset)
      }
      if (open) this.gates()
    }
    this.isFirst = false
    for (const [lit] of this.c.constraints) this.alive &= this.value(lit)
  }
  gates() {
    for (const [lhs, l, r] of inOrder(this.c)) this.values[lhs >> 1] = this.value(l) & this.value(r)
  }
  advance() {
    const next = this.c.latches.map(([, n]) => this.value(n))
    this.c.latches.forEach(([lit], i) => (this.values[lit >> 1] = next[i]))
  }
}

// differAtRandom reports whether two circuits with the same elements differ in random runs from
// the same starts.
function differAtRandom(a, b) {
  const random = generator(7)
  const observed = (c) => [...c.outputs, ...c.bads, ...c.fairness, ...c.justice.flat()]
  const [ours, theirs] = [observed(a), observed(b)]
  const starts = a.latches.map(() => random())
  const x = new Simulation(a, (i) => starts[i])
  const y = new Simulation(b, (i) => starts[i])
  for (let step = 0; step < 60; step++) {
    const inputs = a.inputs.map(() => random())
    x.eval((i) => inputs[i])
    y.eval((i) => inputs[i])
    if (x.alive !== y.alive) return true
    for (let i = 0; i < ours.length; i++) if ((x.value(ours[i][0]) ^ y.value(theirs[i][0])) & x.alive) return true
    x.advance()
    y.advance()
  }
  return false
}

// replayed runs a witness and returns the value of a literal in its last step, 0 for none, and
// whether the constraints held before and in that step.
function replayed(c, path, lit = 0) {
  const rows = readFileSync(path, 'latin1').split('\n')
  const bit = (x) => (x === '1' ? -1 : 0)
  const start = rows[2]
  const s = new Simulation(c, (i) => bit(start[i]))
  let before = true
  for (let at = 3; rows[at] !== '.'; at++) {
    before = (s.alive & 1) === 1
    if (at > 3) s.advance()
    s.eval((i) => bit(rows[at][i]))
  }
  return { value: s.value(lit) & 1, before, allowed: (s.alive & 1) === 1 }
}

// rewritten resolves to a text of AIGER after a change of the whole file which the server offers;
// undefined where it offers none: nothing would change.
function rewritten(aiglens, change, text) {
  const server = spawn(aiglens, ['serve'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const textDocument = { uri: 'file:///pairs.aag', languageId: 'aiger', version: 1 }
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const place = { line: 0, character: 0 }
  send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {}, initializationOptions: { check: { trigger: 'manual' } } } })
  send({ method: 'initialized', params: {} })
  send({ method: 'textDocument/didOpen', params: { textDocument: { ...textDocument, text } } })
  send({ id: 2, method: 'textDocument/codeAction', params: { textDocument, range: { start: place, end: place }, context: { diagnostics: [], only: [`source.aiglens.${change}`] } } })
  return new Promise((done, fail) => {
    let read = Buffer.alloc(0)
    server.on('exit', () => fail(new Error('the server has ended')))
    server.stdout.on('data', (bytes) => {
      read = Buffer.concat([read, bytes])
      for (let end; (end = read.indexOf('\r\n\r\n')) >= 0; ) {
        const size = Number(/Content-Length: (\d+)/.exec(read.subarray(0, end))[1])
        if (read.length < end + 4 + size) return
        const message = JSON.parse(read.subarray(end + 4, end + 4 + size))
        read = read.subarray(end + 4 + size)
        if (message.id === undefined || message.id > 2) continue
        if (message.method) send({ id: message.id, result: null }) // a request of the server
        else if (message.id === 2) {
          send({ id: 3, method: 'shutdown' })
          send({ method: 'exit' })
          const edits = message.result?.[0]?.edit?.changes?.[textDocument.uri]
          done(edits && edited(text, edits))
        }
      }
    })
  })
}

// edited applies the edits of a server to a text.
function edited(text, edits) {
  const starts = [0]
  for (let at = 0; (at = text.indexOf('\n', at) + 1) > 0; ) starts.push(at)
  const offset = (p) => (starts[p.line] ?? text.length) + p.character
  let result = ''
  let from = 0
  for (const e of [...edits].sort((x, y) => offset(x.range.start) - offset(y.range.start))) {
    result += text.slice(from, offset(e.range.start)) + e.newText
    from = offset(e.range.end)
  }
  return result + text.slice(from)
}

const ways = option('--ways')?.split(',')

const quiet = { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28, timeout: 120_000 }

class Pairs {
  constructor(aiglens, journal) {
    this.aiglens = resolve(aiglens)
    this.journal = journal
    this.cpu = Number(option('--cpu', '5'))
    this.done = new Set()
    if (existsSync(journal)) for (const line of readFileSync(journal, 'utf8').split('\n')) if (line) this.done.add(JSON.parse(line).key)
  }

  convert(from, to) {
    execFileSync(this.aiglens, ['convert', '--force', '-o', to, from], quiet)
    return to
  }

  // made returns the circuits that should be the same as one, by the way in which they were made.
  *made(path) {
    const out = (name) => join(this.dir, name)
    try {
      this.convert(path, out('own.aag'))
    } catch {
      return // a file with errors
    }
    const attempt = (way, file, make) => {
      if (way && ways && !ways.includes(way)) return undefined
      rmSync(file, { force: true })
      try {
        make()
      } catch {
        return undefined
      }
      return existsSync(file) ? { way, file } : undefined
    }
    yield attempt('blif', out('own.blif'), () => this.convert(path, out('own.blif')))
    yield attempt('aig', out('own.aig'), () => this.convert(path, out('own.aig')))
    const isText = /\.(aag|blif)$/.test(path)
    const formatted = join(this.beside(path), isText ? basename(path) : 'own.aag')
    yield attempt('fmt', formatted, () => writeFileSync(formatted, execFileSync(this.aiglens, ['fmt', isText ? path : out('own.aag')], quiet)))
    for (const change of ['reencode', 'strip']) {
      const file = out(`${change}.aag`)
      yield attempt(change, file, () => {
        const from = /\.aag$/.test(path) ? path : out('own.aag')
        writeFileSync(file, execFileSync(process.execPath, [process.argv[1], '--rewrite', this.aiglens, change, from], quiet))
      })
    }
    const reads = /\.blif$/.test(path) ? 'read_blif' : 'read_aiger'
    let base = path
    if (/\.aag$/.test(path)) base = attempt('', out('base.aig'), () => this.convert(path, out('base.aig')))?.file
    if (!base) return
    for (const [way, script] of [['dc2', 'strash; dc2'], ['scorr', 'strash; scorr'], ['retime', 'strash; retime; strash'], ['dretime', 'strash; dretime']]) {
      yield attempt(way, out(way + '.aig'), () => execFileSync('berkeley-abc', ['-c', `${reads} ${base}; ${script}; write_aiger -s ${out(way + '.aig')}`], quiet))
    }
    yield attempt('yosys', out('yosys.aig'), () =>
      execFileSync('yosys', ['-q', '-p', `${reads} ${base}; hierarchy -auto-top; flatten; opt; simplemap; abc -g AND; opt -fast; aigmap; write_aiger -symbols ${out('yosys.aig')}`], quiet))
  }

  // beside returns a folder of its own with links to what lies beside a file: the models that
  // it may name.
  beside(path) {
    const dir = join(this.dir, 'beside')
    rmSync(dir, { recursive: true, force: true })
    mkdirSync(dir)
    if (/\.blif$/.test(path)) for (const name of readdirSync(dirname(path))) if (name !== basename(path)) symlinkSync(join(dirname(path), name), join(dir, name))
    return dir
  }

  // compare runs equiv and has a difference replayed here. The error is one of the program.
  compare(a, b) {
    const witnesses = join(this.dir, 'witnesses')
    rmSync(witnesses, { recursive: true, force: true })
    const begin = process.hrtime.bigint()
    const run = spawnSync(this.aiglens, ['equiv', '--format', 'json', '--cpu', String(this.cpu), '--witness', witnesses, a, b], quiet)
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9
    const lines = String(run.stdout).split('\n').filter(Boolean).map((l) => JSON.parse(l))
    const result = lines.find((l) => l.type === 'result')
    if (!result) return { verdict: 'refused', reason: String(run.stderr).trim().split('\n').pop(), seconds }
    const answer = { verdict: result.verdict, reason: result.reason, seconds, vacuous: result.vacuous }
    const pair = lines.find((l) => (l.type === 'pair' || l.type === 'constraints') && l.verdict === 'different')
    if (result.verdict === 'different' && pair) answer.replay = this.replay(a, b, pair, witnesses)
    return answer
  }

  // replay runs a difference on both circuits: with the same values of inputs, the signals of the
  // pair differ in the last step, or one circuit allows that step and the other does not.
  replay(a, b, pair, witnesses) {
    const sides = []
    const files = readdirSync(witnesses)
    const of = pair.a ? `${pair.a.kind}${pair.a.index}${pair.a.kind === 'justice' ? `_${pair.literal ?? 0}` : ''}` : 'constraints'
    for (const [side, path] of [['a', a], ['b', b]]) {
      const file = files.find((f) => f.includes(`.${of}.`) && f.endsWith(`.${side}.wit`))
      if (!file) return 'none'
      const c = readAAG(this.convert(path, join(this.dir, `replay.${side}.aag`)))
      const { kind, index } = pair[side] ?? {}
      const lists = { output: c.outputs, bad: c.bads, fairness: c.fairness, justice: c.justice[index] }
      const row = pair.a && lists[kind]?.[kind === 'justice' ? (pair.literal ?? 0) : index]
      if (pair.a && !row) return 'none'
      sides.push(replayed(c, join(witnesses, file), row?.[0]))
    }
    const [x, y] = sides
    if (!pair.a) return x.before && y.before && x.allowed !== y.allowed ? 'confirmed' : 'WRONG'
    return (x.value !== y.value) !== Boolean(pair.negated) && x.allowed && y.allowed ? 'confirmed' : 'WRONG'
  }

  dsec(a, b) {
    // Its own limit is one of wall time for some of its engines and none for others.
    const said = (command) => String(spawnSync('sh', ['-c', `ulimit -t ${this.cpu}; exec berkeley-abc -c "$0"`, `${command} ${a} ${b}`], { ...quiet, timeout: 600_000 }).stdout)
    let answer = said('dsec -T 1000')
    if (/has no latches/.test(answer)) answer = said('cec -T 1000')
    if (/NOT EQUIVALENT/.test(answer)) return 'different'
    if (/are equivalent/.test(answer)) return 'equal'
    return /Error|different number|cannot|Cannot|failed/.test(answer) ? 'refused' : 'unknown'
  }

  // mutated changes a gate, as text; undefined where there is none.
  mutated(file, seed) {
    const c = readAAG(this.convert(file, join(this.dir, 'before.aag')))
    if (c.ands.length === 0) return undefined
    const random = generator(seed)
    const at = (random() >>> 0) % c.ands.length
    const g = [...c.ands[at]]
    const kind = (random() >>> 0) % 3
    if (kind < 2) g[1 + kind] ^= 1
    else c.lines[c.from + at] = ''
    const lines = [...c.lines]
    lines[c.from + at] = kind < 2 ? g.join(' ') : `${g[0]} ${g[1]} ${g[1]}`
    const after = join(this.dir, 'after.aag')
    writeFileSync(after, lines.join('\n'), 'latin1')
    return { file: after, differs: differAtRandom(readAAG(join(this.dir, 'before.aag')), readAAG(after)) }
  }

  note(entry) {
    appendFileSync(this.journal, JSON.stringify(entry) + '\n')
  }

  all(files) {
    this.dir = mkdtempSync(join(tmpdir(), 'aiglens-pairs-'))
    files.forEach((path) => {
      const key = path.slice(shared.length + 1)
      const all = ways ? `${key} ${ways}.` : key
      if (this.done.has(all)) return
      for (const made of this.made(path)) {
        if (!made || this.done.has(`${key} ${made.way}`)) continue
        try {
          const entry = { key: `${key} ${made.way}`, way: made.way, ...this.compare(path, made.file) }
          if (['dc2', 'scorr', 'retime', 'dretime'].includes(made.way)) entry.dsec = this.dsec(path.endsWith('.aag') ? join(this.dir, 'base.aig') : path, made.file)
          this.note(entry)
          const seed = chance(`${key} ${made.way}`)
          const changed = seed % Number(option('--changed', '1')) === 0 && this.mutated(made.file, seed)
          if (changed) this.note({ key: `${key} ${made.way} changed`, way: made.way, changed: true, shown: changed.differs, ...this.compare(path, changed.file) })
        } catch (e) {
          this.note({ key: `${key} ${made.way}`, way: made.way, verdict: 'failed', reason: String(e.message).slice(0, 300) })
        }
      }
      this.note({ key: all })
    })
    rmSync(this.dir, { recursive: true })
  }
}

function circuits() {
  const found = []
  const table = readFileSync(join(shared, 'benchmarks/peers.csv'), 'utf8').split('\n').map((l) => l.split(','))
  const tier = table[0].indexOf('tier')
  const tiers = option('--tiers', 'smoke,small').split(',')
  for (const row of table.slice(1)) if (tiers.includes(row[tier])) found.push(join(shared, 'benchmarks', row[0]))
  const walk = (dir) => {
    for (const e of readdirSync(dir, { withFileTypes: true })) {
      if (e.isDirectory()) walk(join(dir, e.name))
      else if (/\.(aag|aig|blif)$/.test(e.name)) found.push(join(dir, e.name))
    }
  }
  if (args.includes('--corpora')) walk(join(shared, 'corpus'))
  const [k, n] = option('--share', '1/1').split('/').map(Number)
  const drawn = (f) => chance(f.slice(shared.length + 1))
  return [...new Set(found)].filter((f) => existsSync(f)).sort((f, g) => drawn(f) - drawn(g)).filter((_, i) => i % n === k - 1)
}

function summary(journals) {
  const entries = journals.flatMap((j) => readFileSync(j, 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l)))
  const table = {}
  const add = (row, column) => {
    table[row] ??= {}
    table[row][column] = (table[row][column] ?? 0) + 1
  }
  for (const e of entries) {
    if (!e.way) continue
    const row = e.changed ? `${e.way}, changed` : e.way
    add(row, e.verdict)
    if (e.replay) add(row, `replay ${e.replay}`)
    if (e.dsec) add(row, `dsec ${e.dsec}`)
    if (e.dsec === 'equal' && e.verdict === 'unknown') add(row, 'dsec alone')
    if (e.changed && e.shown) add(row, `shown ${e.verdict}`)
  }
  console.table(table)
  for (const e of entries) {
    if (e.replay === 'WRONG' || e.verdict === 'failed' || (e.changed && e.shown && e.verdict === 'equal') || (e.dsec === 'different' && e.verdict === 'equal')) console.log(JSON.stringify(e))
  }
}

if (args[0] === '--summary') summary(args.slice(1))
else if (args[0] === '--rewrite') {
  const text = await rewritten(args[1], args[2], readFileSync(args[3], 'utf8'))
  if (text === undefined) process.exitCode = 1
  else process.stdout.write(text)
}
else new Pairs(args[0], args[1]).all(circuits())
