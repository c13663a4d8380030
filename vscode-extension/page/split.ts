/// <reference lib="dom" />
// The borders between the text and what is beside and below it: dragged, or moved with the arrow keys.

const step = 24;
const least = 120;

/** @param border stands before the place; the place is as wide or high as a property of the page's body says */
export function split(border: HTMLElement, place: HTMLElement, axis: 'x' | 'y', property: string): void {
  border.tabIndex = 0;
  border.setAttribute('role', 'separator');
  border.setAttribute('aria-orientation', axis === 'x' ? 'vertical' : 'horizontal');
  const size = () => (axis === 'x' ? place.offsetWidth : place.offsetHeight);
  const set = (to: number) => document.body.style.setProperty(property, `${Math.max(least, to)}px`);
  border.addEventListener('keydown', ({ key }) => {
    const by = { ArrowLeft: step, ArrowUp: step, ArrowRight: -step, ArrowDown: -step }[key];
    if (by !== undefined) set(size() + by);
  });
  border.addEventListener('pointerdown', (event) => {
    border.setPointerCapture(event.pointerId);
    const [from, was] = [axis === 'x' ? event.clientX : event.clientY, size()];
    const move = (to: PointerEvent) => set(was + from - (axis === 'x' ? to.clientX : to.clientY));
    border.addEventListener('pointermove', move);
    border.addEventListener('lostpointercapture', () => border.removeEventListener('pointermove', move), { once: true });
  });
}
