// How far the installation of a signature is.
import type { InstallationProgress } from '@signoff/sdk'

const statuses = ['installed', 'drifted', 'pending', 'failed'] as const

/** While nothing is pushed into mailboxes, the first numbers of the API are those of the personal pages once more. */
export const isPushed = (progress: InstallationProgress): boolean =>
  statuses.some(status => progress[status] !== progress.personal_page[status])

/** The mailboxes that Signoff writes. */
export const pushedCount = (progress: InstallationProgress): number =>
  isPushed(progress) ? statuses.reduce((sum, status) => sum + progress[status], 0) : 0
