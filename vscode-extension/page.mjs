// page.mjs FOLDER: the web page, as static files in FOLDER; see docs/web.md. What the server is made of it takes
// from dist/web, and the panels are those of the extension.
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

import { contributed, page, panels } from './bundles.mjs';

const folder = resolve(process.argv[2] ?? '../out/web');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'examples'), { recursive: true });

/** Names of files hold a hash of what is in them. @param {string} name @param {Uint8Array | string} bytes */
function put(name, bytes) {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase();
  const hashed = name.replace(/(\.\w+)$/, `-${hash}$1`);
  writeFileSync(join(folder, hashed), bytes);
  return hashed;
}

/** @param {Record<string, Uint8Array>} files */
function only(files) {
  const [bytes, ...more] = Object.values(files);
  if (bytes === undefined || more.length > 0) throw new Error(`not one file: ${Object.keys(files)}`);
  return bytes;
}

/** @param {esbuild.BuildOptions} options @returns {Promise<Record<string, Uint8Array>>} */
async function build(options) {
  const { outputFiles = [] } = await esbuild.build({ ...options, write: false, minify: true, sourcemap: false });
  return Object.fromEntries(outputFiles.map(({ path, contents }) => [path.replace(/^.*\//, ''), contents]));
}

// The panels. Scripts are allowed by their hashes, for they stand within the frames.
const bundles = Object.assign({}, ...(await Promise.all([...panels(), page.frame].map((one) => build(one)))));
/** @type {Record<string, string>} */
const files = {};
const hashes = [];
for (const [name, bytes] of Object.entries(bundles)) {
  if (name.endsWith('.js')) hashes.push(`'sha256-${createHash('sha256').update(bytes).digest('base64')}'`);
  files[name] = put(name, bytes);
}

const examples = readdirSync('../examples').filter((name) => /\.(aag|blif|btor2|smt2)$/.test(name));
for (const name of examples) copyFileSync(join('../examples', name), join(folder, 'examples', name));

// The program, packed as the client unpacks it. Hosts do things of their own with names that end in gz.
files['serverWorker.js'] = put('serverWorker.js', readFileSync('dist/web/serverWorker.js'));
for (const name of ['aiglens', 'checker']) files[`${name}.wasm.gz`] = put(`${name}.bin`, gzipSync(readFileSync(`dist/web/${name}.wasm`), { level: 9 }));

const worker = put('editorWorker.js', only(await build(page.worker)));
const built = { version: manifest.version, worker, files, examples };
const main = await build({ ...page.main, define: { built: JSON.stringify(built) }, plugins: [contributed(manifest)] });
/** @type {Record<string, string>} */
const names = { 'main.js': '', 'main.css': '' };
for (const [name, bytes] of Object.entries(main)) {
  if (name in names) names[name] = put(name, bytes);
  else writeFileSync(join(folder, name), bytes); // fonts, which styles name by their hashes
}

const policy = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' ${hashes.join(' ')}`,
  "style-src 'self' 'unsafe-inline'", // the editor places its lines by their style
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:", // the client starts the program from its text; within, this policy holds
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const html = readFileSync('page/index.html', 'utf8').replace('{{policy}}', policy).replace('{{style}}', `${names['main.css']}`).replace('{{script}}', `${names['main.js']}`);
writeFileSync(join(folder, 'index.html'), html);
cpSync('images/icon.svg', join(folder, 'icon.svg'));
writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ name: 'aiglens', short_name: 'aiglens', start_url: './', display: 'standalone', icons: [{ src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' }] }));
copyFileSync('../LICENSE', join(folder, 'LICENSE'));
copyFileSync('../NOTICE', join(folder, 'NOTICE'));

const kept = ['./', 'icon.svg', 'manifest.json', ...readdirSync(folder).filter((name) => /-[0-9A-Z]{8}\.\w+$/.test(name)), ...examples.map((name) => `examples/${name}`)];
/** The script that keeps them, which says its version. @param {string} version */
const service = async (version) => only(await build({ ...page.service, define: { files: JSON.stringify({ version, names: kept, page: createHash('sha256').update(html).digest('hex') }) } }));
const version = kept.reduce((hash, name) => hash.update(`${name}\n`).update(readFileSync(join(folder, name === './' ? 'index.html' : name))), createHash('sha256').update(await service('')));
writeFileSync(join(folder, 'service.js'), await service(version.digest('hex').slice(0, 12)));
