// Measures what the way of lemmas costs: a portfolio of two engines or more, each in a process of its
// own, that exchange lemmas within one machine (local, twice, for what chance does), between two
// nodes of a cluster over NATS (nats), and not at all, within one machine (none) or on nodes (apart).
//
//   node scripts/exchange.mjs AIGLENS JOURNAL [--tier mid] [--files 18] [--seeds 2] [--cpu 40] [--jobs 2]
//       [--only FILE,...] [--kinds nats,apart]
//   node scripts/exchange.mjs --summary JOURNAL [--base local]
//
// AIGLENS_SHARED (../shared) has the circuits. The files are drawn, always the same ones, or are those of --only. The
// cluster has a node for each engine. The journal
// has one JSON object a line; what is in it is not run again. Effort is that of the engine which
// is first, in the measure of --stats, so that other work on the machine matters little.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const args = process.argv.slice(2)
const option = (name, other) => (args.includes(name) ? args[args.indexOf(name) + 1] : other)
const jobs = Number(option('--jobs', 2))
const benchmarks = join(resolve(process.env.AIGLENS_SHARED ?? '../shared'), 'benchmarks')
const rowsOf = (journal) => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').filter(Boolean).map(JSON.parse) : [])

// draw returns files of a tier with one property of safety, by a generator of random numbers
// that is the same everywhere.
function draw(tier, n) {
  const [head, ...rows] = readFileSync(join(benchmarks, 'peers.csv'), 'utf8').split('\n').map((line) => line.split(','))
  const column = (name) => head.indexOf(name)
  const all = rows.filter((r) => r[column('tier')] === tier && r[column('justice')] === '0').map((r) => r[column('file')])
  const drawn = []
  for (let x = 1; drawn.length < n && all.length > 0; ) {
    x = (x * 48271) % 2147483647
    drawn.push(...all.splice(x % all.length, 1))
  }
  return drawn
}

// node starts one and resolves to it and the first line that it prints.
function node(program, flags) {
  const child = spawn(program, ['node', '--slots', '1', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('exit', (code) => fail(new Error(`a node has ended with ${code}`)))
    child.stdout.once('data', (text) => done({ child, text: String(text) }))
  })
}

async function run(program, journal) {
  const cpu = option('--cpu', '40')
  const done = new Set(rowsOf(journal).map((r) => [r.file, r.seed, r.kind].join()))
  const dir = mkdtempSync(join(tmpdir(), 'aiglens-exchange-'))
  const first = await node(program, ['--listen', '127.0.0.1:0', '--insecure', '--dir', dir, '--name', 'first'])
  const url = /nats:\/\/\S+/.exec(first.text)[0]
  const others = []
  for (let i = 2; i <= jobs; i++) others.push(await node(program, ['--join', url, '--name', `node-${i}`]))
  const kinds = {
    local: ['--processes'],
    nats: ['--on', url],
    again: ['--processes'],
    none: ['--processes', '--tactics=-exchange'],
    apart: ['--on', url, '--tactics=-exchange'],
  }
  const wanted = option('--kinds', 'local,nats,again,none').split(',')
  const files = option('--only') ? option('--only').split(',') : draw(option('--tier', 'mid'), Number(option('--files', 18)))
  for (let seed = 1; seed <= Number(option('--seeds', 2)); seed++) {
    for (const file of files) {
      for (const [kind, flags] of Object.entries(kinds)) {
        if (!wanted.includes(kind) || done.has([file, seed, kind].join())) continue
        const common = ['check', '--engine', 'portfolio', '--jobs', String(jobs), '--no-cache', '--no-vacuity', '--stats', '--format', 'json']
        const limits = ['--seed', String(seed * 100), '--cpu', `${cpu}s`, '--timeout', '0']
        const r = spawnSync(program, [...common, ...limits, ...flags, join(benchmarks, file)], { encoding: 'utf8' })
        const { verdict, reason, seconds, stats = {} } = JSON.parse(r.stdout)
        const { effort, winner, taken, received } = stats
        appendFileSync(journal, `${JSON.stringify({ file, seed, kind, verdict, reason, seconds, effort, winner, taken, received })}\n`)
      }
    }
  }
  for (const n of [...others, first]) {
    n.child.removeAllListeners('exit')
    n.child.kill('SIGTERM')
    await new Promise((ended) => n.child.on('exit', ended))
  }
  rmSync(dir, { recursive: true })
}

const median = (all) => {
  const sorted = all.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

// summary compares each kind with a base, over what both have answered.
function summary(journal) {
  const rows = rowsOf(journal)
  const base = option('--base', 'local')
  const by = new Map(rows.map((r) => [[r.file, r.seed, r.kind].join(), r]))
  const solved = (r) => r && r.verdict !== 'unknown'
  for (const kind of ['local', 'nats', 'again', 'none', 'apart']) {
    const own = rows.filter((r) => r.kind === kind)
    const answered = own.filter(solved)
    console.log(`${kind}: ${answered.length} of ${own.length} answered, ${answered.filter((r) => r.taken > 0).length} by an engine that took lemmas, ${answered.reduce((n, r) => n + (r.taken ?? 0), 0)} of ${answered.reduce((n, r) => n + (r.received ?? 0), 0)}`)
    for (const least of [0, 1e6]) {
      const ratios = []
      for (const r of answered) {
        const other = by.get([r.file, r.seed, base].join())
        if (kind !== base && solved(other) && Math.max(r.effort, other.effort) >= least && other.effort > 0) ratios.push(r.effort / other.effort)
      }
      if (ratios.length === 0) continue
      const mean = Math.exp(ratios.reduce((sum, x) => sum + Math.log(x), 0) / ratios.length)
      console.log(`  effort by that of ${base}, where one is ${least} or more: median ${median(ratios).toFixed(3)}, geometric mean ${mean.toFixed(3)}, over ${ratios.length} pairs`)
    }
  }
}

if (args[0] === '--summary') summary(args[1])
else await run(resolve(args[0]), args[1])
