/** A value of a command's definition, which may be loaded only when it is needed. */
export const resolveLazy = async <Value>(
  lazy: Value | Promise<Value> | (() => Value | Promise<Value>),
): Promise<Value> => (typeof lazy === 'function' ? (lazy as () => Value | Promise<Value>)() : lazy)
