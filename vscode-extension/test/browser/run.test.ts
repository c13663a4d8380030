// `make run` without a terminal and without VS Code, as a script starts it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../lib/paths';

test('make run prints an address that answers, and ends when it is told to', async () => {
  const home = mkdtempSync(join(tmpdir(), 'aiglens-run-'));
  const run = spawn(join(root, 'scripts', 'run.sh'), {
    env: { ...process.env, AIGLENS_RUN_EDITOR: 'code-server', AIGLENS_RUN_PORT: '0', AIGLENS_RUN_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    run.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  const address = await printed(run, /http:\/\/127\.0\.0\.1:\d+\S+/);
  expect((await fetch(address)).status).toBe(200);

  run.kill('SIGINT');
  const [code] = await once(run, 'close');
  expect(code).toBe(0);
  await expect(fetch(address)).rejects.toThrow();
});

/** The first text on standard output that matches. */
function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (data) => {
      output += data;
      const [match] = pattern.exec(output) ?? [];
      if (match !== undefined) resolve(match);
    });
    child.stderr?.on('data', (data) => (output += data));
    child.on('close', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
}
