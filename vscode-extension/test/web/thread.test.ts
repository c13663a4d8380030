// The tests of package thread for browsers, which the Go tests of other systems leave out.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'vitest';
import { root } from '../lib/paths';

test('contexts that derive from one share their turns', () => {
  const go = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
  execFileSync('go', ['test', '-exec', join(go, 'lib', 'wasm', 'go_js_wasm_exec'), './internal/thread'], { cwd: root, env: { ...process.env, GOOS: 'js', GOARCH: 'wasm' }, stdio: ['ignore', 'inherit', 'inherit'] });
});
