// Writes NOTICE: the licences of everything that is linked into the program or bundled
// into the extension and the page, whatever the platform. With --check it only compares.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { contributed, page, shipped } from '../vscode-extension/bundles.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const extension = join(root, 'vscode-extension');

/** @typedef {{ name: string, licence: string }} Part */

/** @param {string} folder the texts of its licence, notices of its own included */
function licenceIn(folder) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying|thirdpartynotices)(\.\w+)?$/i.test(file)).sort();
  if (files.length === 0) throw new Error(`${folder} has no licence`);
  return files.map((file) => readFileSync(join(folder, file), 'utf8').replace(/\r/g, '').replace(/[ \t]+$/gm, '').trim()).join('\n\n');
}

/** @returns {Part[]} the modules of the program on every platform, and Go itself */
function linked() {
  const modules = new Map();
  for (const GOOS of ['linux', 'darwin', 'windows']) {
    const format = '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}';
    const list = execFileSync('go', ['list', '-deps', '-f', format, './cmd/aiglens'], { cwd: root, encoding: 'utf8', env: { ...process.env, GOOS, CGO_ENABLED: '0' } });
    for (const [name, folder] of list.split('\n').filter(Boolean).map((line) => line.split('\t'))) modules.set(name, folder);
  }
  const goroot = execFileSync('go', ['env', 'GOROOT'], { cwd: root, encoding: 'utf8' }).trim();
  const parts = [...modules].map(([name, folder]) => ({ name, licence: licenceIn(folder) }));
  return [...parts, { name: 'the Go standard library', licence: licenceIn(goroot) }];
}

/** @returns {Promise<Part[]>} the npm packages of which a bundle holds something */
async function bundled() {
  const { build } = createRequire(join(extension, 'package.json'))('esbuild');
  const manifest = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
  const all = [...shipped(), ...Object.values(page).map((one) => ({ ...one, plugins: [contributed(manifest)] }))];
  const bundles = await Promise.all(all.map((one) => build({ ...one, write: false, metafile: true, logLevel: 'error', absWorkingDir: extension })));
  const folders = new Set();
  for (const { metafile } of bundles) {
    for (const input of Object.keys(metafile.inputs)) {
      const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input) ?? [];
      if (folder !== undefined) folders.add(join(extension, folder));
    }
  }
  return [...folders].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { name: `${name} ${version}`, licence: licenceIn(folder) };
  });
}

/** Parts with the same licence share its text. @param {Part[]} parts */
function sections(parts) {
  const names = new Map();
  for (const { name, licence } of parts.sort((a, b) => (a.name < b.name ? -1 : 1))) names.set(licence, [...(names.get(licence) ?? []), name]);
  return [...names].map(([licence, of]) => `${'='.repeat(72)}\n${of.join('\n')}\n${'-'.repeat(72)}\n${licence}\n`).join('\n');
}

const notice = `aiglens is licensed under the Apache License 2.0; see LICENSE.

The program is linked with the following modules.

${sections(linked())}
The VS Code extension holds, besides the program, parts of the following packages.

${sections(await bundled())}`;

const file = join(root, 'NOTICE');
if (!process.argv.includes('--check')) {
  writeFileSync(file, notice);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== notice) {
  console.error('NOTICE is not what is shipped: node scripts/notice.mjs writes it');
  process.exit(1);
}
