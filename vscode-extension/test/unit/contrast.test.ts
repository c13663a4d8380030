// Texts in colours of ours can be read in every kind of theme.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { palettes } from '../../src/gutterIcons';

const enough = 4.5; // WCAG 2.2, contrast (minimum)

/** Of a colour like #1f1f1f, from 0 to 1, as WCAG 2.2 says. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

/** The grounds of editors, side bars and hovers in the themes that come with VS Code. */
const grounds = {
  dark: ['#1f1f1f', '#1e1e1e', '#181818', '#252526', '#202020'],
  light: ['#ffffff', '#f8f8f8', '#f3f3f3'],
  highContrast: ['#000000'],
  highContrastLight: ['#ffffff'],
};

const kinds = Object.keys(grounds) as (keyof typeof grounds)[];
const { colors } = (JSON.parse(readFileSync('package.json', 'utf8')) as { contributes: { colors: { id: string; defaults: Record<keyof typeof grounds, string> }[] } }).contributes;

test('the measure is that of the standard', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(contrast('#73c991', '#ffffff')).toBeLessThan(2.1); // the pale green on light
});

test.each(kinds)('colours of texts stand out in a theme of the kind %s', (kind) => {
  const pale = colors.flatMap(({ id, defaults }) => grounds[kind].map((ground) => ({ id, ground, of: contrast(defaults[kind], ground) }))).filter(({ of }) => of < enough);
  expect(pale).toEqual([]);
  for (const colour of Object.values(palettes[kind])) expect(contrast(colour, grounds[kind][0]!)).toBeGreaterThanOrEqual(3); // of signs
});

test('no text has a colour that VS Code means for signs and charts', () => {
  const folders = ['src/circuit/webview', 'src/counterexample/webview', 'src/schematic/webview'];
  const sheets = folders.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.css')).map((name) => readFileSync(`${folder}/${name}`, 'utf8')));
  const all = sheets.join('\n').replace(/\/\*[^]*?\*\//g, '');
  const given = new Map([...all.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!]));
  const texts = [...all.matchAll(/(?<![\w-])color:\s*([^;}]+)/g), ...all.matchAll(/text[^{},]*\{[^}]*?fill:\s*([^;}]+)/g)].map(([, value]) => value!.trim());
  const meant = texts.map((value) => value.replace(/var\((--[\w-]+)\)/g, (whole, name: string) => given.get(name) ?? whole));
  expect(meant.length).toBeGreaterThan(20);
  expect(meant.filter((value) => /charts-|testing-icon|editorWarning|^#/.test(value))).toEqual([]);
});
