/// <reference lib="dom" />
// What runs first in the frame of a panel: the API that VS Code gives to the page of a webview, over messages to the
// page around the frame, and the theme.
import { isSave } from './saveKey';
import type { PanelLook } from './vscode/theme';

/** What the frame tells the page around it, and the page the frame. Anything else is a message of the panel. */
export type FromFrame = { panel: unknown } | { state: unknown } | { key: string; shift: boolean };
export type ToFrame = { look: PanelLook } | { panel: unknown };

/** What the frame begins with. */
export interface FrameStart {
  look: PanelLook;
  state: unknown;
}

declare global {
  interface Window {
    acquireVsCodeApi: unknown;
  }
}

const start = JSON.parse(document.getElementById('start')!.textContent!) as FrameStart;
let { state } = start;

function show({ bodyClass, variables }: PanelLook): void {
  for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
  document.body.className = bodyClass;
}

const tell = (message: FromFrame) => parent.postMessage(message, '*'); // its origin is unknown here: the frame has none

show(start.look);
window.acquireVsCodeApi = () => ({
  postMessage: (panel: unknown) => tell({ panel }),
  getState: () => state,
  setState: (to: unknown) => {
    state = to;
    tell({ state });
    return to;
  },
});

addEventListener('message', (event) => {
  if (!event.isTrusted) return; // one of those below
  event.stopImmediatePropagation();
  if (event.source !== parent) return;
  const message = event.data as ToFrame;
  if ('look' in message) show(message.look);
  // The page of the panel reads the message as VS Code sends it.
  else dispatchEvent(new MessageEvent('message', { data: message.panel }));
});

// Keys that lead out of the panel, and the one that saves.
addEventListener('keydown', (event) => {
  const { key, shiftKey: shift } = event;
  if (key === 'F6' || key === 'F1') tell({ key, shift });
  else if (isSave(event)) {
    event.preventDefault();
    tell({ key: 's', shift });
  }
});
