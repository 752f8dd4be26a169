/** A copy of an object that lacks some of its fields. */
export function omit<Value extends object, Key extends keyof Value>(
  value: Value,
  ...names: readonly Key[]
): Omit<Value, Key> {
  const left = Object.entries(value).filter(([name]) => !(names as readonly string[]).includes(name))
  return Object.fromEntries(left) as Omit<Value, Key>
}
