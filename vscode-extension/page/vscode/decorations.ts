// Decorations of VS Code as those of Monaco: what they look like becomes rules of one style sheet, a class for each look.
import { editor as monaco, type Uri } from 'monaco-editor/editor/editor.api.js';
import { isDark } from './theme';
import { ThemeColor } from './values';

type Look = Record<string, unknown>;

export class DecorationType {
  constructor(
    readonly key: string,
    readonly options: Look,
    private readonly gone: (type: DecorationType) => void,
  ) {}
  dispose(): void {
    this.gone(this);
  }
}

/** Properties of a look that are those of CSS. */
const direct = { color: 'color', backgroundColor: 'background-color', fontWeight: 'font-weight', fontStyle: 'font-style', margin: 'margin', width: 'width', height: 'height', border: 'border', opacity: 'opacity', textDecoration: 'text-decoration' };

const fewRules = 1000;

/** Rules of looks that are drawn no more stay until there are many: then all are forgotten, and what is in view is drawn again. */
export class Styles {
  private readonly sheet = new CSSStyleSheet();
  private readonly classes = new Map<string, string>();
  private most = fewRules;
  private count = 0;

  /** @param drop has what is of a type drawn no more */
  constructor(private readonly drop: (type: DecorationType) => void) {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
  }

  /** The names of types have the order in which the types were made. */
  create(options: object): DecorationType {
    return new DecorationType(`type${String(this.count++).padStart(6, '0')}`, options as Look, this.drop);
  }

  decoration({ key, options }: DecorationType, own: object = {}): monaco.IModelDecorationOptions {
    const look: Look = { ...options, ...(options[isDark() ? 'dark' : 'light'] as Look | undefined), ...own };
    const { isWholeLine = false, gutterIconPath, gutterIconSize, overviewRulerColor, overviewRulerLane } = look;
    const after = { ...(options['after'] as Look | undefined), ...(look['after'] as Look | undefined) };
    const text = rules(look);
    return {
      description: key,
      isWholeLine: isWholeLine as boolean,
      showIfCollapsed: true,
      stickiness: monaco.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
      ...(text === '' ? {} : { [isWholeLine === true ? 'className' : 'inlineClassName']: this.classOf(key, '', text) }),
      ...(after['contentText'] === undefined ? {} : { afterContentClassName: this.classOf(key, '::after', `content: ${quoted(`${after['contentText']}`)}; ${rules(after)}`) }),
      ...(gutterIconPath == null ? {} : { glyphMarginClassName: this.classOf(key, '', `background: url("${(gutterIconPath as Uri).toString(true)}") center / ${gutterIconSize ?? 'contain'} no-repeat;`) }),
      ...(overviewRulerColor === undefined ? {} : { overviewRuler: { color: { id: (overviewRulerColor as ThemeColor).id }, position: (overviewRulerLane ?? 7) as number } }),
    } as monaco.IModelDecorationOptions;
  }

  get isFull(): boolean {
    return this.classes.size > this.most;
  }

  /** @param redraw draws all that is in view */
  renew(redraw: () => void): void {
    this.sheet.replaceSync('');
    this.classes.clear();
    this.most = Infinity;
    redraw();
    this.most = Math.max(fewRules, 2 * this.classes.size);
  }

  /** Monaco draws what stands at one place in the order of the names of the classes. */
  private classOf(key: string, part: string, text: string): string {
    const rule = `${part} { ${text} }`;
    const known = this.classes.get(`${key}${rule}`);
    if (known !== undefined) return known;
    const name = `${key}-${this.classes.size}`;
    this.classes.set(`${key}${rule}`, name);
    this.sheet.insertRule(`.${name}${rule}`, this.sheet.cssRules.length);
    return name;
  }
}

function rules(look: Look): string {
  return Object.entries(direct)
    .flatMap(([name, property]) => (look[name] === undefined ? [] : `${property}: ${cssOf(look[name])};`))
    .join(' ');
}

/** Rules may have parts of several properties in one, as those of the extension have. */
function cssOf(value: unknown): string {
  return value instanceof ThemeColor ? `var(--vscode-${value.id.replaceAll('.', '-')})` : `${value}`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/[\n\t]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;
}
