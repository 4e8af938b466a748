// What a folder of `connectors` says about its system; index.ts lists them.
import type { ChannelName, PushChannel } from '#features/delivery/installations/index.ts'
import type { TokenDeps } from '#features/delivery/outlook/index.ts'
import type { Directory } from '#features/people/directories/index.ts'
import type { OnPeopleChange } from '#features/workspace/emails/index.ts'
import type { IntegrationKind } from '#features/workspace/integrations/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { PublicFetch } from '#platform/public-fetch.ts'

export interface KindDeps extends TokenDeps {
  /** The end of a sentence such as "The address …"; undefined when the address is allowed. */
  readonly addressProblem: (url: string) => string | undefined
  readonly fetchPublic: PublicFetch
}

export interface SourceDeps {
  readonly onPeopleChange: OnPeopleChange
}

export interface ChannelDeps {
  readonly db: Db
  /** For addresses that users chose. */
  readonly fetchPublic: PublicFetch
}

export interface Connector {
  readonly kind: string
  /** Connects and tests an integration. */
  readonly integration: (deps: KindDeps) => IntegrationKind
  /** Reads people and groups. */
  readonly directory?: (deps: SourceDeps) => Directory
  /** The channel through which its integrations deliver signatures. */
  readonly channel?: ChannelName
  /** Sends signatures through the channel; unset where mail programs or people fetch them. */
  readonly push?: (deps: ChannelDeps) => PushChannel
}
