// A circuit that no engine decides soon: two array multipliers, one with its
// operands exchanged, must agree. SAT solvers have found that hard ever since
// miters of multipliers were given to them.

/** As AIGER text, with as many properties as wanted, which are all the same. */
export function hardCircuit(bits: number, properties: number): string {
  const ands: string[] = [];
  const inputs = [...Array(2 * bits).keys()].map((index) => 2 * index + 2);
  const and = (a: number, b: number) => {
    const result = 2 * (inputs.length + ands.length) + 2;
    ands.push(`${result} ${Math.max(a, b)} ${Math.min(a, b)}`);
    return result;
  };
  const or = (a: number, b: number) => and(a ^ 1, b ^ 1) ^ 1;
  const xor = (a: number, b: number) => and(and(a, b) ^ 1, or(a, b));
  const multiply = (x: number[], y: number[]) => {
    let sum = y.map((one) => and(x[0]!, one));
    const low = [sum.shift()!];
    for (const digit of x.slice(1)) {
      let carry = 0;
      const row = y.map((one) => and(digit, one));
      sum = row.map((bit, index) => {
        const other = sum[index] ?? 0;
        const half = xor(bit, other);
        const total = xor(half, carry);
        carry = or(and(bit, other), and(half, carry));
        return total;
      });
      sum.push(carry);
      low.push(sum.shift()!);
    }
    return [...low, ...sum];
  };
  const [a, b] = [inputs.slice(0, bits), inputs.slice(bits)];
  const other = multiply(b, a);
  const differ = multiply(a, b).map((bit, index) => xor(bit, other[index]!)).reduce(or);
  const header = `aag ${inputs.length + ands.length} ${inputs.length} 0 0 ${ands.length} ${properties}`;
  return [header, ...inputs, ...Array(properties).fill(differ), ...ands, ''].join('\n');
}
