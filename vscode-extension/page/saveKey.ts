/// <reference lib="dom" />

/** Whether a key saves, in the text and in panels. */
export const isSave = ({ ctrlKey, metaKey, altKey, key }: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'key'>): boolean => (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 's';
