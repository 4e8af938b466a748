// The messages between the service and the thread that draws pictures.
import type { ApiError } from '#kernel/base/errors.ts'
import type { Drawing, Loaded, ScreenshotAppearance } from './drawing.ts'
import type { ScreenshotOptions } from './screenshots.ts'

export type ThreadOptions = Pick<ScreenshotOptions, 'chromium' | 'folder' | 'publicUrl' | 'limits'>

export type ToThread =
  | {
      readonly type: 'draw'
      readonly id: number
      readonly html: string
      readonly appearance: ScreenshotAppearance
    }
  | { readonly type: 'loaded'; readonly id: number; readonly resource: Loaded | null }
  | { readonly type: 'close' }

export type FromThread =
  | { readonly type: 'drawn'; readonly id: number; readonly drawing: Drawing }
  | {
      readonly type: 'failed'
      readonly id: number
      readonly code: ApiError['code']
      readonly message: string
      readonly headers: ApiError['headers']
    }
  | { readonly type: 'load'; readonly id: number; readonly address: string }
  | { readonly type: 'warning'; readonly error: unknown; readonly message: string }
  | { readonly type: 'closed' }
