// run.mjs INSTALL HOME VSIX FOLDER FILE: the folder in code-server, with one of
// its files open, until this process is told to end.
import { join } from 'node:path';
import { address, launch } from './launch.mjs';

const [install, home, vsix, folder, file] = process.argv.slice(2);
if (!install || !home || !vsix || !folder || !file) {
  throw new Error('usage: run.mjs INSTALL HOME VSIX FOLDER FILE');
}

const port = Number(process.env.AIGLENS_RUN_PORT ?? 0);
const server = await launch({ install, home, vsix, port }).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
const url = address(server.host, folder, [['openFile', `vscode-remote://${server.host}${join(folder, file)}`]]);
console.log(`\nVS Code with aiglens is at\n\n    ${url}\n\nCtrl-C ends it.`);

let asked = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    asked = true;
    void server.stop();
  });
}
const code = await server.exited;
process.exitCode = asked ? 0 : (code ?? 1);
