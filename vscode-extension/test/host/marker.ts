/** Begins what Mocha prints among all that the extension host prints. */
export const marker = 'mocha: ';
