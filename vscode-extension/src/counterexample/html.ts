// The page of the trace panel.
import { page } from '../page';

export interface PageParts {
  /** Addresses of the bundle. */
  script: string;
  style: string;
  /** Where the style may come from, as a content security policy has it. */
  source: string;
  nonce: string;
}

export function pageHtml({ script, style, source, nonce }: PageParts): string {
  const head = `<link rel="stylesheet" href="${style}">`;
  const end = `<script nonce="${nonce}" src="${script}"></script>`;
  return page({ styles: source, nonce }, 'Counterexample', head, `${body}\n${end}`);
}

const body = `<div id="bar" role="toolbar" aria-label="Counterexample" aria-controls="view">
  <input id="filter" type="text" placeholder="Filter: name, /regex/, name=1" aria-label="Filter signals by name, by regular expression between slashes, or by value with =0, =1, =x, =9" title="Name, /regex/, or name=1 for the value at the cursor  ( / )" spellcheck="false">
  <input id="expression" type="text" placeholder="Add: a &amp; !b, q == 3" aria-label="Expression over signals, shown as a row" title="Expression over signals as a row: a &amp; !b, q == 3, prev(a), rose(a)  ( e )" spellcheck="false">
  <span class="set" role="group" aria-label="Search in the selected signal">
    <select id="target" aria-label="What to search for in the selected signal" title="What to search for in the selected signal">
      <option value="change">changes</option><option value="1">becomes 1</option><option value="0">becomes 0</option><option value="x">becomes x</option>
    </select>
    <button id="previous" title="Previous in the selected signal  ( p )" aria-label="Previous">◂</button>
    <button id="next" title="Next in the selected signal  ( n )" aria-label="Next">▸</button>
  </span>
  <span class="set" role="group" aria-label="What is hidden">
    <button id="unchanged" aria-pressed="false" title="Hide signals that never change" aria-label="Changing signals only">Changing</button>
    <button id="irrelevant" aria-pressed="false" title="Hide latches that have no part in why the run ends as it does" aria-label="Relevant latches only">Relevant</button>
  </span>
  <select id="radix" hidden aria-label="Values of words" title="Values of words: by name and in their own radix, or as numbers  ( r )">
    <option value="default">default</option><option value="decimal">decimal</option><option value="hex">hex</option><option value="binary">binary</option>
  </select>
  <span class="set" role="group" aria-label="Zoom">
    <button id="out" title="Zoom out  ( − )" aria-label="Zoom out">−</button>
    <button id="fit" title="All steps, over the whole width  ( 0 )">Fit</button>
    <button id="in" title="Zoom in  ( + )" aria-label="Zoom in">+</button>
  </span>
  <button id="round" hidden title="Show the loop once more, after the rounds that are there  ( l )" aria-label="Repeat the loop once more">↻ Once more</button>
  <span id="runs" class="set" role="group" aria-label="Other runs" hidden>
    <button id="first" hidden title="Show the first of the runs that were found again">First</button>
    <button id="another" title="Find another run, different in the latches that matter">Another</button>
    <button id="shortest" title="Find the shortest run, and the proof that none is shorter">Shortest</button>
  </span>
  <button id="mark" title="Mark the step of the cursor, or remove its mark  ( m )" aria-label="Mark the step">◆</button>
  <button id="table" aria-pressed="false" title="Values as a table, for screen readers too  ( t )">Table</button>
  <span class="set last" role="group" aria-label="What to do with it">
  <button id="why" title="Why does the selected signal have its value at the cursor?  ( w )">Why</button>
  <button id="add" title="Add the signal at the cursor of the editor" aria-label="Add the signal at the cursor of the editor">Add</button>
  <button id="debug" title="Walk through the run in the debugger">Debug</button>
  <button id="export" title="Save, copy, or open in a waveform viewer">Export…</button>
  </span>
</div>
<div id="play" role="toolbar" aria-label="Run with other inputs" aria-controls="view" hidden>
  <button id="flip" title="Flip the value at the cursor, or type that of a word: of inputs in any step, of latches without a reset in step 0  ( f, a double click; while playing a click on the value )">Flip</button>
  <button id="play-on" title="Start a new run with the steps up to the cursor, and continue with other inputs">Go on from here…</button>
  <span class="set" role="group" aria-label="More steps">
    <button id="play-add" title="Add a step with the inputs of the last one  ( s )">+ Step</button>
    <button id="play-random" title="Add ten steps with random inputs  ( x )">+ 10 random</button>
    <button id="play-until" title="Add random steps until the selected signal is 1 or the expression holds, at most 1000  ( u )">Until 1</button>
  </span>
  <button id="play-cut" title="Remove the steps after the cursor">Cut here</button>
  <button id="play-reset" title="Begin again with one step from reset">Reset</button>
  <button id="play-carry" hidden title="The same inputs, found by their names, on the circuit of the present text">Play on the present text</button>
  <button id="play-back" hidden title="Back to the counterexample as it was found">Back to the counterexample</button>
  <span id="outcome" role="status"></span>
</div>
<div id="banner" role="status" hidden></div>
<div id="among" role="status" hidden></div>
<div id="nothing" hidden><p></p><button id="check">Check the property</button></div>
<div id="scroll">
  <div id="space">
    <div id="view" tabindex="0" role="application" aria-roledescription="waveforms" aria-describedby="live help">
      <div id="corner"></div>
      <div id="names" role="presentation"></div>
      <div id="sash" aria-hidden="true"></div>
      <canvas id="canvas" role="img" aria-label="Waveforms"></canvas>
    </div>
  </div>
</div>
<div id="tableview" tabindex="0" hidden></div>
<div id="foot">
  <span id="searching" role="status"></span>
  <span id="live" aria-live="polite"></span>
  <span id="markers" role="group" aria-label="Marked steps"></span>
</div>
<div id="help" hidden>Left and right move the cursor by a step, up and down select a signal. Home and End go to the first and the last step, n and p to the next and previous change. m marks a step. Enter goes to the text, opens a word or an instance, or changes an expression; e adds an expression. r switches words between their own radix, decimal, hexadecimal and binary, t shows a table, l repeats a loop once more. f, or in a played run the space bar, flips a value that can be chosen; of a word f asks for a number. s adds a step, x adds ten random ones, and u adds steps until the signal is 1 or the expression holds.</div>`;
