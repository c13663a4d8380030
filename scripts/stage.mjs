// stage.mjs STAGE [TARGET]: makes package.json of a staged extension that of a package. It names what
// the package has: the entry for browsers or the one for machines, and of these a folder bin unless
// it is universal. Where AIGLENS_REPOSITORY holds the https address of a published repository, the
// package names it; the sources name none, for they do not know where they will be published.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [stage, target] = process.argv.slice(2);

const manifest = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8'));
const isAbsent = (file) => (target === 'web' ? ['bin', 'dist/extension.js'].includes(file) : file.startsWith('dist/web/') || (target === 'universal' && file === 'bin'));
manifest.files = manifest.files.filter((file) => !isAbsent(file));
if (target === 'web') {
  // VS Code then knows that it runs in browsers alone, and needs no program.
  delete manifest.main;
  delete manifest.extensionKind;
  delete manifest.contributes.mcpServerDefinitionProviders;
} else delete manifest.browser;
const repository = process.env.AIGLENS_REPOSITORY?.replace(/(\.git)?\/*$/, '');
if (repository) {
  if (!/^https:\/\/[^/]+\/./.test(repository)) throw new Error(`AIGLENS_REPOSITORY is not an https address of a repository: ${repository}`);
  manifest.repository = { type: 'git', url: `${repository}.git`, directory: 'vscode-extension' };
  manifest.bugs = { url: `${repository}/issues` };
  manifest.homepage = repository;
}
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
