/**
 * How an upload without files has ended for this visitor: the visitor has them, another client has, all downloads are used, or
 * they are deleted.
 */
export type UploadEnd = 'mine' | 'taken' | 'usedUp' | 'deleted'
