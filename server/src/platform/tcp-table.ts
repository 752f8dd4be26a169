import { readFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Both ends of a TCP connection. */
export interface Connection {
  readonly localAddress: string
  readonly localPort: number
  readonly remoteAddress: string
  readonly remotePort: number
}

/** Linux lists its connections in these files; other systems do not have them. Without IPv6 the second is missing. */
const tables: readonly string[] = ['/proc/net/tcp', '/proc/net/tcp6']

/** `ESTABLISHED`, as include/net/tcp_states.h of Linux numbers it. */
const established = '01'

/** Addresses are in the byte order of the machine, four bytes at a time. */
const reversed = endianness() === 'LE'

/** The two endpoints of a connection as the table writes them. */
export const tcpName = (connection: Connection): string =>
  `${endName(connection.localAddress, connection.localPort)} ${endName(connection.remoteAddress, connection.remotePort)}`

function endName(address: string, port: number): string {
  const bytes = ipaddr.parse(address.split('%', 1)[0] ?? '').toByteArray()
  const words = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.slice(at * 4, at * 4 + 4))
  const hex = words.flatMap((word) => (reversed ? word.toReversed() : word)).map((byte) => hexOf(byte, 2))
  return `${hex.join('')}:${hexOf(port, 4)}`
}

const hexOf = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0')

/**
 * The established connections, as `tcpName` writes them.
 * @param files the tables of the system
 * @returns null where the system does not list them
 */
export async function openConnections(files = tables): Promise<ReadonlySet<string> | null> {
  try {
    const text = (await Promise.all(files.map(readTable))).join('')
    // A table without connections still has its heading.
    return text === '' ? null : parseTable(text)
  } catch {
    // The connections of a table that cannot be read must not look closed.
    return null
  }
}

/** @returns an empty text for a table that the system does not have */
async function readTable(file: string): Promise<string> {
  try {
    return await readFile(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function parseTable(text: string): ReadonlySet<string> {
  const lines = text.matchAll(/^ *\d+: (\S+ \S+) (\S\S) /gm)
  return new Set(lines.filter(([, , state]) => state === established).map(([, name = '']) => name))
}
