/** Begins what Mocha prints among all that the extension host prints. */
export const marker = 'mocha: ';

/** The variable that has the tests of a folder run that is not trusted, and no others. */
export const untrusted = 'AIGLENS_TEST_UNTRUSTED';
