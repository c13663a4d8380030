// Whether this machine can read Verilog. Where tests run for every change, it must.
import { execFileSync } from 'node:child_process';

export function hasYosys(): boolean {
  try {
    return execFileSync('yosys', ['-V']).length > 0;
  } catch {
    return false;
  }
}
