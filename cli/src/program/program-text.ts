/** The program as a text, which the build puts here (`scripts/bundle/cli-bundle.ts`). */
export const programText: string = ''
