import { onScopeDispose } from 'vue'

/** Listens to events until the scope ends. */
export function listen<Happened extends Event>(
  target: EventTarget,
  type: string,
  listener: (event: Happened) => void,
): void {
  target.addEventListener(type, listener as EventListener)
  onScopeDispose(() => target.removeEventListener(type, listener as EventListener))
}
