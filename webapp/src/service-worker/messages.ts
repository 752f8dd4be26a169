/**
 * What a page asks the worker for, with a port for the answer: an array of files. A type alone, so that the worker shares
 * no script with the page: it is built without imports.
 */
export type TakeShared = 'takeShared'
