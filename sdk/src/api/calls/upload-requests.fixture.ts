import type { Client } from '../client.ts'

const page = { limit: 5, order: 'asc', after: 'a b' } as const

/** The calls of upload requests, and the requests that they send. */
export const uploadRequestRows = {
  createRequest: {
    send: (client: Client) => client.createUploadRequest({ title: 'Photos' }),
    body: { title: 'Photos' },
  },
  listRequests: {
    send: (client: Client) => client.uploadRequests({ ...page, all: true }),
    query: '?limit=5&order=asc&after=a+b&all=true',
  },
  getRequest: { send: (client: Client) => client.uploadRequest('r1'), at: 'r1' },
  updateRequest: {
    send: (client: Client) => client.updateUploadRequest('r1', { closed: true }),
    at: 'r1',
    body: { closed: true },
  },
  removeRequest: { send: (client: Client) => client.removeUploadRequest('r1'), at: 'r1' },
  listRequestUploads: {
    send: (client: Client) => client.receivedUploads('r1', page),
    at: 'r1',
    query: '?limit=5&order=asc&after=a+b',
  },
  showRequest: { send: (client: Client) => client.openUploadRequest('r1'), at: 'r1' },
  sendToRequest: {
    send: (client: Client) => client.sendToUploadRequest('r1', { sender: 'Ada' }),
    at: 'r1',
    body: { sender: 'Ada' },
  },
}
