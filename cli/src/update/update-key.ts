/**
 * The public key of minisign with which the owner of a build signs programs: the second line of its file. The build puts it
 * here (`SVC_UPDATE_KEY`); without one, signatures cannot be verified.
 */
export const updateKey: string | undefined = undefined
