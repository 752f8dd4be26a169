/** What the endpoints of each group are about, by tag. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Service: 'State, limits and features of the server.',
  Uploads: 'Uploads and quick uploads.',
  Files: 'The files of an upload, and its archive.',
  Streams: 'Files that are sent to their recipient without being stored.',
  'Resumable uploads': 'Files that arrive in parts, by the protocol of the IETF or by tus.',
  'Upload requests': 'Links with which others send files to their owner.',
  Authentication: 'Sign-in of people and of the command line.',
  'Current user': 'The account of the caller: profile, tokens, sessions and uploads.',
  Notifications: 'Events of an account: email, push messages, webhooks and server-sent events.',
  Administration: 'Users, uploads and statistics of the whole server, for admins.',
}
