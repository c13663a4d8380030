// A circuit whose property is neither proved nor refuted soon.

const bits = [...Array(24).keys()];

/**
 * A circuit that sums up odd numbers, which gives the squares, as long as `go` is 1. Its sum is 17
 * only after very many steps, and it has too many latches for the search for reachable states to
 * begin early.
 */
export function squares(): string {
  const names = (inputs: string[], output: string, ...rows: string[]) => [`.names ${[...inputs, output].join(' ')}`, ...rows.map((row) => `${row} 1`)];
  const rows = ['.model squares', '.inputs go', '.outputs bad', ...names(bits.map((i) => `sum${i}`), 'bad', bits.map((i) => (i === 0 || i === 4 ? '1' : '0')).join(''))];
  for (const i of bits) {
    rows.push(`.latch sum_next${i} sum${i} 0`, `.latch odd_next${i} odd${i} ${i === 0 ? 1 : 0}`);
    rows.push(...names(['go', `s${i}`, `sum${i}`], `sum_next${i}`, '11-', '0-1'), ...names(['go', `o${i}`, `odd${i}`], `odd_next${i}`, '11-', '0-1'));
    const carry = i === 0 ? [] : [`c${i - 1}`];
    rows.push(...names([`sum${i}`, `odd${i}`, ...carry], `s${i}`, ...(i === 0 ? ['10', '01'] : ['100', '010', '001', '111'])));
    rows.push(...names([`sum${i}`, `odd${i}`, ...carry], `c${i}`, ...(i === 0 ? ['11'] : ['11-', '1-1', '-11'])));
    if (i === 0) rows.push(...names(['odd0'], 'o0', '1'));
    else if (i === 1) rows.push(...names(['odd1'], 'o1', '0'), ...names(['odd1'], 'd1', '1'));
    else rows.push(...names([`odd${i}`, `d${i - 1}`], `o${i}`, '10', '01'), ...names([`odd${i}`, `d${i - 1}`], `d${i}`, '11'));
  }
  return [...rows, '.end', ''].join('\n');
}
