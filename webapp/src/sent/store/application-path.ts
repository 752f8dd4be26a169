/** Path of the application, part of the names that all pages of an origin share: several servers can share an origin. */
export const applicationPath = (): string => new URL('.', document.baseURI).pathname
