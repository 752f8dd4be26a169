/** Methods that change nothing (RFC 9110 §9.2.1). */
export const isSafe = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
