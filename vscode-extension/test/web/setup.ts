import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { extension, root } from '../lib/paths';

/** Builds the modules, and the script that runs them. */
export default function (): void {
  execFileSync(join(root, 'scripts', 'wasm.sh'), { stdio: 'inherit' });
  execFileSync('node', ['esbuild.mjs'], { cwd: extension, stdio: 'inherit' });
}
