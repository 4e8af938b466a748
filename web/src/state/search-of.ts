/** A query string for the router, whose routes declare none: pages read theirs as text, by `useAddressState`. */
export const searchOf = (values: Readonly<Record<string, string>>): never => values as never
