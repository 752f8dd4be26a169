/** Where this browser keeps the id of its push subscription, which the server gives. */
export const pushIDKey = 'svc-push'
