// What a bench reports. server/bench/run.ts runs the benches of the renderer together with its own.

export interface Figure {
  readonly what: string
  readonly value: number
  readonly limit?: { readonly most: number; readonly least?: undefined } | { readonly least: number }
  readonly note?: string
}

export interface Bench {
  readonly name: string
  readonly run: () => Promise<readonly Figure[]>
}
