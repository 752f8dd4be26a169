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

/** Linux keeps its connections in these files; other systems do not have them. The second is missing without IPv6. */
const tables: readonly string[] = ['/proc/net/tcp', '/proc/net/tcp6']

/** `ESTABLISHED`, as include/net/tcp_states.h of Linux numbers it. */
const established = '01'

/** Addresses are written as the machine keeps its integers, four bytes at a time. */
const reversed = endianness() === 'LE'

/** How a connection is named in the table. */
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
 * The connections that stand in both directions, by their names.
 * @param files the tables of the system
 * @returns null where the system does not tell
 */
export async function openConnections(files = tables): Promise<ReadonlySet<string> | null> {
  try {
    const text = (await Promise.all(files.map(readTable))).join('')
    // A table without connections has its heading still.
    return text === '' ? null : parseTable(text)
  } catch {
    // What a table lists that cannot be read just now must not look closed.
    return null
  }
}

/** @returns nothing of a table that the system does not have */
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
