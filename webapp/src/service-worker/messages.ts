/**
 * A request of a page to the worker, with a port for the response: an array of files. Only a type, because the worker is built
 * without imports and shares no script with the page.
 */
export type TakeShared = 'takeShared'
