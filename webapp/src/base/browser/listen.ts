import { onScopeDispose } from 'vue'

/** The events that the page listens to until a scope ends. */
interface Events {
  readonly afterprint: Event
  readonly beforeprint: Event
  readonly beforeunload: BeforeUnloadEvent
  readonly change: Event
  readonly keydown: KeyboardEvent
  readonly pageshow: PageTransitionEvent
  readonly storage: StorageEvent
  readonly visibilitychange: Event
  readonly 'vite:preloadError': Event
}

/** Listens to events until the scope ends. */
export function listen<Type extends keyof Events>(
  target: EventTarget,
  type: Type,
  listener: (event: Events[Type]) => void,
): void {
  target.addEventListener(type, listener as EventListener)
  onScopeDispose(() => target.removeEventListener(type, listener as EventListener))
}
