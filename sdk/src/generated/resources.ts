// Generated from the route table: `npm run generate` writes it.
import { type Client, only, path, without } from '../call.ts'
import type { AnalyticsBreakdownRow, AnalyticsGroupRow, AnalyticsOverview, AnalyticsPeriodCount, ApiKey, ApiKeyInput, ApiKeyPatch, Asset, AssetInput, AssetPatch, AuditEntry, Brand, BrandPatch, CampaignVariantCount, CheckProblem, Checklist, ChecklistPatch, Content, ContentImport, ContentImportInput, ContentWarning, CreatedDeploymentToken, CreatedIntegration, DeploymentToken, Email, EmailInput, EmailPatch, EventInput, EventReceipt, EventSummaryRow, EventSummaryTotals, FeedbackInput, FeedbackReceipt, FinancialDocument, Folder, FolderInput, FolderPatch, Import, ImportApply, ImportInput, ImportPlan, ImportPreview, ImportResult, ImportSummary, InstallOne, InstallablePreview, Installation, InstallationProgress, InstallationQueued, Integration, IntegrationAttribute, IntegrationEntity, IntegrationInput, IntegrationPatch, IntegrationTest, Invited, InvitedMember, MarketingCampaign, MarketingCampaignInput, MarketingCampaignPatch, MarketingCampaignPreview, MarketingCampaignPromotion, MarketingCampaignResults, MarketingCampaignWarning, Me, Member, MemberInput, MemberPatch, NewApiKey, NewWebhook, PersonalPage, PictureFetch, PicturesInput, ProfileChange, ProfileChangePreview, ProfileChangeRejection, PublicationRejectionInput, PublicationRequest, PublicationRequestListItem, QueuedReplay, ReachedAddress, Recipient, RecipientEmails, RecipientEntities, RecipientRules, RecipientRulesPreview, RecipientRulesPreviewInput, RecipientSelection, RecordedEvent, RelayMessage, RenderedPerson, ReplayInput, SignInPolicy, SignInPolicyPatch, Signature, SignatureCheck, SignatureDuplicateInput, SignatureExplanation, SignatureInput, SignatureListItem, SignaturePatch, SignaturePublishInput, SignatureVariant, SignatureVariantPatch, SignatureVariantPublishInput, SignatureVersion, SignatureVersionListItem, SmartField, SmartFieldInput, SmartFieldPatch, SmartFieldUsage, SsoCheck, SsoConnection, SsoConnectionInput, SsoConnectionPatch, StoredRecipientRules, SyncRequest, SyncRun, SyncRunSummary, Teammate, TeammateActivityChanged, TeammateActivityInput, TeammateChange, TeammateImage, TeammateImport, TeammateInput, TeammatePatch, TeammatesChanged, TeammatesPatch, Template, TestEmailInput, TestEmailReceipt, Visitor, Webhook, WebhookDelivery, WebhookDeliveryWithPayload, WebhookInput, WebhookPatch, Workspace, WorkspacePatch } from './schemas.ts'
import type { Body, Call, ListCall, Page, RequestOptions } from '../types.ts'

export const resourcesOf = (client: Client) => ({
  workspace: {
    /** Read the workspace: plan, seat count and settings. Needs `workspace:read`. */
    get: (options?: RequestOptions): Call<Workspace> => client.get('/v1/workspace', options),
    /** Change the settings of the workspace. Needs `workspace:write`. */
    update: (params?: WorkspacePatch, options?: RequestOptions): Call<Workspace> => client.patch('/v1/workspace', options, params && { workspace: params }),
    /** What is left to set up, and what needs attention. Needs `workspace:read`. */
    checklist: (options?: RequestOptions): Call<Checklist> => client.get('/v1/workspace/checklist', options),
    /** Hide the checklist, or show it again. Needs `workspace:write`. */
    updateChecklist: (params?: ChecklistPatch, options?: RequestOptions): Call<Checklist> => client.patch('/v1/workspace/checklist', options, params && { checklist: params }),
  },
  me: {
    /** Read who is calling: account, member, workspace and scopes. */
    get: (options?: RequestOptions): Call<Me> => client.get('/v1/me', options),
  },
  members: {
    /** List members. Needs `members:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "name" | "-name" | "email" | "-email" | "role" | "-role" | "status" | "-status" | "last_seen_at" | "-last_seen_at" | "created_at" | "-created_at" | undefined
    }, options?: RequestOptions): ListCall<Member> => client.get('/v1/members', options, params),
    /** Read a member. Needs `members:read`. */
    get: (id: string, options?: RequestOptions): Call<Member> => client.get(path`/v1/members/${id}`, options),
    /** Invite a member. Needs `members:write`. */
    create: (params: MemberInput, options?: RequestOptions): Call<InvitedMember> => client.post('/v1/members', options, { member: params }),
    /** Send the invitation again, with a new link. Needs `members:write`. */
    resend: (id: string, options?: RequestOptions): Call<InvitedMember> => client.post(path`/v1/members/${id}/resend`, options),
    /** Change the role or the name of a member. Needs `members:write`. */
    update: (id: string, params?: MemberPatch, options?: RequestOptions): Call<Member> => client.patch(path`/v1/members/${id}`, options, params && { member: params }),
    /** Remove a member; sessions end and keys are refused within 5 seconds. Needs `members:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/members/${id}`, options),
    /** Make another member the owner. Needs `members:write`. */
    makeOwner: (id: string, options?: RequestOptions): Call<Member> => client.post(path`/v1/members/${id}/make_owner`, options),
  },
  ssoConnections: {
    /** List connections for single sign-on. Needs `workspace:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<SsoConnection> => client.get('/v1/sso_connections', options, params),
    /** Read a connection for single sign-on. Needs `workspace:read`. */
    get: (id: string, options?: RequestOptions): Call<SsoConnection> => client.get(path`/v1/sso_connections/${id}`, options),
    /** Connect an identity provider. Needs `workspace:write`. */
    create: (params: SsoConnectionInput, options?: RequestOptions): Call<SsoConnection> => client.post('/v1/sso_connections', options, { sso_connection: params }),
    /** Change a connection for single sign-on. Needs `workspace:write`. */
    update: (id: string, params?: SsoConnectionPatch, options?: RequestOptions): Call<SsoConnection> => client.patch(path`/v1/sso_connections/${id}`, options, params && { sso_connection: params }),
    /** Check a connection step by step. Needs `workspace:write`. */
    test: (id: string, options?: RequestOptions): Call<SsoCheck> => client.post(path`/v1/sso_connections/${id}/test`, options),
    /** Remove a connection for single sign-on. Needs `workspace:write`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/sso_connections/${id}`, options),
  },
  signInPolicy: {
    /** Read how members must sign in. Needs `workspace:read`. */
    get: (options?: RequestOptions): Call<SignInPolicy> => client.get('/v1/workspace/sign_in_policy', options),
    /** Change how members must sign in. Needs `workspace:write`. */
    update: (params?: SignInPolicyPatch, options?: RequestOptions): Call<SignInPolicy> => client.patch('/v1/workspace/sign_in_policy', options, params && { sign_in_policy: params }),
  },
  brand: {
    /** Read the brand: logo, colours, font and company data. Needs `workspace:read`. */
    get: (options?: RequestOptions): Call<Brand> => client.get('/v1/workspace/brand', options),
    /** Change the brand. Needs `workspace:write`. */
    update: (params?: BrandPatch, options?: RequestOptions): Call<Brand> => client.patch('/v1/workspace/brand', options, params && { brand: params }),
  },
  teammates: {
    /** List teammates. Needs `teammates:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Part of an address or of any value. */
      search?: string | undefined
      source?: "manual" | "directory" | undefined
      /** Only active people, or only inactive ones. */
      active?: boolean | undefined
      /** Together with smart_field_value. */
      smart_field_id?: string | undefined
      /** The key of a field, such as `department`, instead of `smart_field_id`. */
      smart_field?: string | undefined
      /** Compared trimmed and without case. */
      smart_field_value?: string | undefined
      /** Only active people without a value for this field; with `active=false` only inactive ones. */
      missing_smart_field_id?: string | undefined
      /** The key of a field, instead of `missing_smart_field_id`. */
      missing_smart_field?: string | undefined
      /** Only people of whom an address gets this signature on new mail; `none`: people without any signature. */
      signature_id?: string | undefined
      /** Only records that were created or changed at or after this instant (or day, in UTC). A request that is being processed can commit an earlier `updated_at` later: let the next call begin a minute before the last one. */
      updated_since?: string | undefined
      /** The order: `name` (first name, then last name), `email`, `active`, `created_at`, `updated_at`, or `smart_field:` with the id or the key of a field, such as `smart_field:department`; with `-` in front for the reverse. People without a value come last, and equal ones are ordered by `id`. Without it: newest first. */
      sort?: "name" | "-name" | "email" | "-email" | "active" | "-active" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | string | undefined
    }, options?: RequestOptions): ListCall<Teammate> => client.get('/v1/teammates', options, params),
    /** Read a teammate. Needs `teammates:read`. */
    get: (id: string, options?: RequestOptions): Call<Teammate> => client.get(path`/v1/teammates/${id}`, options),
    /** Create a teammate. Needs `teammates:write`. */
    create: (params: TeammateInput, options?: RequestOptions): Call<Teammate> => client.post('/v1/teammates', options, { teammate: params }),
    /** Create or update up to 1,000 teammates by their addresses. Needs `teammates:write`. */
    import: (params: TeammateImport, options?: RequestOptions): Call<ImportResult> => client.post('/v1/teammates/import', options, params),
    /** Change a teammate. Needs `teammates:write`. */
    update: (id: string, params: TeammatePatch, options?: RequestOptions): Call<Teammate, Body<Teammate> & { pending_changes?: ProfileChange[] }> => client.patch(path`/v1/teammates/${id}`, options, { teammate: params }),
    /** Delete a teammate; the addresses may be used again. Needs `teammates:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/teammates/${id}`, options),
    /** List pictures of imports that are not fetched yet, or could not be fetched. Needs `teammates:read`. */
    listPictureFetches: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      status?: "pending" | "failed" | undefined
    }, options?: RequestOptions): ListCall<PictureFetch> => client.get('/v1/teammates/picture_fetches', options, params),
    /** Set the picture in an image field of a teammate. Needs `teammates:write`. */
    setImage: (id: string, smartFieldId: string, params: TeammateImage, options?: RequestOptions): Call<Teammate, Body<Teammate> & { pending_changes?: ProfileChange[] }> => client.put(path`/v1/teammates/${id}/images/${smartFieldId}`, options, { image: params }),
    /** Remove the picture from an image field of a teammate. Needs `teammates:write`. */
    deleteImage: (id: string, smartFieldId: string, options?: RequestOptions): Call<ProfileChange> => client.delete(path`/v1/teammates/${id}/images/${smartFieldId}`, options),
    /** Change the values of many teammates at once. Needs `teammates:write`. */
    updateMany: (params: TeammatesPatch, options?: RequestOptions): Call<TeammatesChanged> | Call<TeammateChange> => client.patch('/v1/teammates', options, { teammates: params }),
    /** List changes of many teammates. Needs `teammates:read`. */
    listChanges: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<TeammateChange> => client.get('/v1/teammates/changes', options, params),
    /** How far a change of many teammates is. Needs `teammates:read`. */
    getChange: (id: string, options?: RequestOptions): Call<TeammateChange> => client.get(path`/v1/teammates/changes/${id}`, options),
    /** Make inactive teammates active again. Needs `teammates:write`. */
    activate: (params: TeammateActivityInput, options?: RequestOptions): Call<TeammateActivityChanged> => client.post('/v1/teammates/activate', options, params),
    /** Make teammates inactive. Needs `teammates:write`. */
    deactivate: (params: TeammateActivityInput, options?: RequestOptions): Call<TeammateActivityChanged> => client.post('/v1/teammates/deactivate', options, params),
    /** Read a directory now. Needs `integrations:write`. */
    sync: (params?: SyncRequest, options?: RequestOptions): Call<SyncRun> => client.post('/v1/teammates/sync', options, params),
  },
  profileChanges: {
    /** List changes that people asked for. Needs `teammates:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      status?: "pending" | "approved" | "rejected" | undefined
      /** Only changes of this teammate. */
      teammate_id?: string | undefined
    }, options?: RequestOptions): ListCall<ProfileChange> => client.get('/v1/profile_changes', options, params),
    /** Read a change that a person asked for. Needs `teammates:read`. */
    get: (id: string, options?: RequestOptions): Call<ProfileChange> => client.get(path`/v1/profile_changes/${id}`, options),
    /** Approve a change that a person asked for. Needs `teammates:write`. */
    approve: (id: string, options?: RequestOptions): Call<ProfileChange> => client.post(path`/v1/profile_changes/${id}/approve`, options),
    /** Reject a change that a person asked for. Needs `teammates:write`. */
    reject: (id: string, params?: ProfileChangeRejection, options?: RequestOptions): Call<ProfileChange> => client.post(path`/v1/profile_changes/${id}/reject`, options, params),
    /** Withdraw a change that waits for a decision. Needs `teammates:write`. */
    withdraw: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/profile_changes/${id}`, options),
    /** The signature of a person before and after a change. Needs `teammates:read`. */
    preview: (id: string, options?: RequestOptions): Call<ProfileChangePreview> => client.get(path`/v1/profile_changes/${id}/preview`, options),
  },
  imports: {
    /** List imports of people. Needs `teammates:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<ImportSummary> => client.get('/v1/imports', options, params),
    /** Upload a table of people. Needs `teammates:write`. */
    create: (params: ImportInput, options?: RequestOptions): Call<Import> => client.post('/v1/imports', options, { import: params }),
    /** Read an import, with its progress. Needs `teammates:read`. */
    get: (id: string, options?: RequestOptions): Call<Import> => client.get(path`/v1/imports/${id}`, options),
    /** Delete an import, with everything that was read. Needs `teammates:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/imports/${id}`, options),
    /** See what an import would change. Needs `teammates:read`. */
    preview: (id: string, params: ImportPlan, options?: RequestOptions): Call<ImportPreview> => client.read(path`/v1/imports/${id}/preview`, options, params),
    /** Create and update people from an import. Needs `teammates:write`. */
    apply: (id: string, params: ImportApply, options?: RequestOptions): Call<Import> => client.post(path`/v1/imports/${id}/apply`, options, params),
    /** Download the rows that were not imported, as CSV. Needs `teammates:read`. */
    report: (id: string, params?: {
      /** `problems` (default): one line per problem. `rows`: the rows of the file, with the reasons. */
      as?: "problems" | "rows" | undefined
    }, options?: RequestOptions): Call<Response, Response> => client.get(path`/v1/imports/${id}/report`, options, params),
  },
  emails: {
    /** List addresses and aliases. Needs `emails:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only the addresses of this teammate. */
      teammate_id?: string | undefined
      /** Part of an address. */
      search?: string | undefined
      /** Only records that were created or changed at or after this instant (or day, in UTC). A request that is being processed can commit an earlier `updated_at` later: let the next call begin a minute before the last one. */
      updated_since?: string | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "address" | "-address" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | undefined
    }, options?: RequestOptions): ListCall<Email> => client.get('/v1/emails', options, params),
    /** Give a teammate an alias. Needs `emails:write`. */
    create: (params: EmailInput, options?: RequestOptions): Call<Email> => client.post('/v1/emails', options, { email: params }),
    /** Read an address. Needs `emails:read`. */
    get: (id: string, options?: RequestOptions): Call<Email> => client.get(path`/v1/emails/${id}`, options),
    /** Change an address, or make it the primary one. Needs `emails:write`. */
    update: (id: string, params?: EmailPatch, options?: RequestOptions): Call<Email> => client.patch(path`/v1/emails/${id}`, options, params && { email: params }),
    /** Delete an alias. Needs `emails:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/emails/${id}`, options),
    /** Which signature an address gets, and why. Needs `signatures:read`. */
    explainSignature: (id: string, params?: {
      /** The kind of mail; `new` when left out. */
      kind?: "new" | "reply" | "internal" | undefined
      /** The recipients of the mail: up to 100 addresses, separated by commas. The mail is internal when all of them are in `own_domains` of the workspace; `kind` then only says whether it is a reply. */
      to?: string | undefined
      /** The moment to answer for; now when left out. */
      at?: string | undefined
      /** `false`: without pixel and tracked links, to look at it without counting a view. */
      tracked?: boolean | undefined
    }, options?: RequestOptions): Call<SignatureExplanation> => client.get(path`/v1/emails/${id}/signature`, options, params),
    /** Install the signature of one address again. Needs `signatures:write`. */
    install: (id: string, params?: InstallOne, options?: RequestOptions): Call<InstallationQueued> => client.post(path`/v1/emails/${id}/install`, options, params),
    personalPage: {
      /** The private page where the owner of an address copies the signature. Needs `signatures:write`. */
      get: (id: string, options?: RequestOptions): Call<PersonalPage> => client.get(path`/v1/emails/${id}/personal_page`, options),
      /** Give a private page another address; the old one leads nowhere from now on. Needs `signatures:write`. */
      rotate: (id: string, options?: RequestOptions): Call<PersonalPage> => client.post(path`/v1/emails/${id}/personal_page/rotate`, options),
    },
  },
  signatures: {
    /** The published signature of one of its recipients, as it is installed. Needs `signatures:read`. */
    html: (id: string, params?: {
      /** Required: whose signature. */
      email_id?: string | undefined
    }, options?: RequestOptions): Call<{ html: string; text: string; bytes: number; warnings: ContentWarning[] }> => client.get(path`/v1/signatures/${id}/html`, options, params),
    /** Install a signature again for all its recipients. Needs `signatures:write`. */
    install: (id: string, options?: RequestOptions): Call<InstallationQueued> => client.post(path`/v1/signatures/${id}/install`, options),
    /** How far the installation of a signature is. Needs `signatures:read`. */
    installationProgress: (id: string, options?: RequestOptions): Call<InstallationProgress> => client.get(path`/v1/signatures/${id}/installation`, options),
    /** Mail all recipients of a signature the link to their private page, once per version. Needs `signatures:write`. */
    invite: (id: string, options?: RequestOptions): Call<Invited> => client.post(path`/v1/signatures/${id}/invite`, options),
    /** List signatures. Needs `signatures:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only those in this folder; `none`: those outside folders. */
      folder_id?: string | undefined
      /** Part of the name, in upper or lower case. */
      search?: string | undefined
      /** Adds `content` and `draft_content` to each. */
      include_content?: boolean | undefined
      /** Only those that were never published (`draft`), are published and active (`live`) or deactivated (`inactive`), or have changes since (`changed`). */
      status?: "draft" | "live" | "inactive" | "changed" | undefined
      /** Only records that were created or changed at or after this instant (or day, in UTC). A request that is being processed can commit an earlier `updated_at` later: let the next call begin a minute before the last one. */
      updated_since?: string | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "name" | "-name" | "priority" | "-priority" | "last_published_at" | "-last_published_at" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | undefined
    }, options?: RequestOptions): ListCall<SignatureListItem> => client.get('/v1/signatures', options, params),
    /** Create a signature. Needs `signatures:write`. */
    create: (params: SignatureInput, options?: RequestOptions): Call<Signature> => client.post('/v1/signatures', options, { signature: params }),
    /** Read a signature with its content and draft. Needs `signatures:read`. */
    get: (id: string, options?: RequestOptions): Call<Signature> => client.get(path`/v1/signatures/${id}`, options),
    /** Change a signature or its draft. Needs `signatures:write`. */
    update: (id: string, params?: SignaturePatch, options?: RequestOptions): Call<Signature> => client.patch(path`/v1/signatures/${id}`, options, params && { signature: params }),
    /** Delete a signature for good. Needs `signatures:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/signatures/${id}`, options),
    /** Make the draft live. Needs `signatures:write`. */
    publish: (id: string, params?: SignaturePublishInput, options?: RequestOptions): Call<Signature, Body<Signature> & { warnings: CheckProblem[] }> | Call<PublicationRequest, Body<PublicationRequest> & { warnings: CheckProblem[] }> => client.post(path`/v1/signatures/${id}/publish`, options, params),
    /** Take a signature out of use: recipients fall to their next one. Needs `signatures:write`. */
    deactivate: (id: string, options?: RequestOptions): Call<Signature> => client.post(path`/v1/signatures/${id}/deactivate`, options),
    /** Copy the draft and the variants into a new signature. Needs `signatures:write`. */
    duplicate: (id: string, params?: SignatureDuplicateInput, options?: RequestOptions): Call<Signature> => client.post(path`/v1/signatures/${id}/duplicate`, options, params && { signature: params }),
    /** Find problems before publishing. Needs `signatures:read`. */
    check: (id: string, params?: {
      /** Check this variant. Left out: the signature itself. */
      variant?: "reply" | "internal" | undefined
    }, options?: RequestOptions): Call<SignatureCheck> => client.get(path`/v1/signatures/${id}/check`, options, params),
    /** A signature as HTML and as text, without tracking. Needs `signatures:read`. */
    preview: (id: string, params?: {
      /** Left out: the draft where there is one. */
      source?: "draft" | "published" | undefined
      /** Whose values to fill in. Left out: placeholders. */
      email_id?: string | undefined
      /** The campaign to show, in any state, or `none`. Left out: the one that runs for the address; without an address, the one that every recipient sees. */
      campaign?: string | undefined
    }, options?: RequestOptions): Call<InstallablePreview> => client.get(path`/v1/signatures/${id}/preview`, options, params),
    /** A signature as a picture. Needs `signatures:read`. */
    previewPng: (id: string, params?: {
      /** Left out: the draft where there is one. */
      source?: "draft" | "published" | undefined
      /** Whose values to fill in. Left out: placeholders. */
      email_id?: string | undefined
      /** The campaign to show, in any state, or `none`. Left out: the one that runs for the address; without an address, the one that every recipient sees. */
      campaign?: string | undefined
      theme?: "light" | "dark" | undefined
      width?: "desktop" | "phone" | undefined
    }, options?: RequestOptions): Call<Response, Response> => client.get(path`/v1/signatures/${id}/preview.png`, options, params),
    /** Mail the draft to yourself or to colleagues. Needs `signatures:write`. */
    sendTestEmail: (id: string, params?: TestEmailInput & {
      /** The campaign to show, in any state, or `none`. Left out: the one that runs for the address; without an address, the one that every recipient sees. */
      campaign?: string | undefined
    }, options?: RequestOptions): Call<TestEmailReceipt> => client.post(path`/v1/signatures/${id}/test_email`, options, without(params, 'campaign'), only(params, 'campaign')),
    recipients: {
      /** List who gets a signature, and why. Needs `signatures:read`. */
      list: (id: string, params?: {
        /** The page, from 1 to 1,000,000. */
        page?: number | undefined
        /** Records on a page. */
        limit?: number | undefined
        installation_status?: "pending" | "installed" | "drifted" | "failed" | "uninstalled" | undefined
      }, options?: RequestOptions): ListCall<Recipient, Page<Recipient> & { selection: RecipientSelection }> => client.get(path`/v1/signatures/${id}/emails`, options, params),
      /** Give a signature to addresses. Needs `signatures:write`. */
      add: (id: string, params: RecipientEmails, options?: RequestOptions): Call<RecipientSelection> => client.post(path`/v1/signatures/${id}/emails`, options, params),
      /** Take a signature from addresses that were given it. Needs `signatures:write`. */
      removeMany: (id: string, params: RecipientEmails, options?: RequestOptions): Call<RecipientSelection> => client.post(path`/v1/signatures/${id}/emails/remove`, options, params),
      /** Take a signature from one address. Needs `signatures:write`. */
      remove: (id: string, emailId: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/signatures/${id}/emails/${emailId}`, options),
    },
    recipientRules: {
      /** Read the rules that choose recipients. Needs `signatures:read`. */
      get: (id: string, options?: RequestOptions): Call<StoredRecipientRules> => client.get(path`/v1/signatures/${id}/recipient_rules`, options),
      /** Choose recipients by their values, or all addresses. Needs `signatures:write`. */
      set: (id: string, params: RecipientRules, options?: RequestOptions): Call<RecipientSelection> => client.put(path`/v1/signatures/${id}/recipient_rules`, options, params),
    },
    entities: {
      /** Give a signature to org units or groups. Needs `signatures:write`. */
      add: (id: string, params: RecipientEntities, options?: RequestOptions): Call<RecipientSelection> => client.post(path`/v1/signatures/${id}/integration_entities`, options, params),
      /** Take a signature from an org unit or group. Needs `signatures:write`. */
      remove: (id: string, entityId: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/signatures/${id}/integration_entities/${entityId}`, options),
    },
    versions: {
      /** List the published versions of a signature. Needs `signatures:read`. */
      list: (id: string, params?: {
        /** The page, from 1 to 1,000,000. */
        page?: number | undefined
        /** Records on a page. */
        limit?: number | undefined
      }, options?: RequestOptions): ListCall<SignatureVersionListItem> => client.get(path`/v1/signatures/${id}/versions`, options, params),
      /** Read a version with its content. Needs `signatures:read`. */
      get: (id: string, versionId: string, options?: RequestOptions): Call<SignatureVersion> => client.get(path`/v1/signatures/${id}/versions/${versionId}`, options),
      /** Copy a version into the draft. Needs `signatures:write`. */
      restore: (id: string, versionId: string, options?: RequestOptions): Call<Signature> => client.post(path`/v1/signatures/${id}/versions/${versionId}/restore`, options),
    },
    variants: {
      /** List the variants of a signature, those not made included. Needs `signatures:read`. */
      list: (id: string, options?: RequestOptions): Call<SignatureVariant[], Body<SignatureVariant[]> & { supported: boolean }> => client.get(path`/v1/signatures/${id}/variants`, options),
      /** Read a variant. Needs `signatures:read`. */
      get: (id: string, kind: "reply" | "internal", options?: RequestOptions): Call<SignatureVariant> => client.get(path`/v1/signatures/${id}/variants/${kind}`, options),
      /** Change a variant, or make it. Needs `signatures:write`. */
      update: (id: string, kind: "reply" | "internal", params: SignatureVariantPatch, options?: RequestOptions): Call<SignatureVariant> => client.patch(path`/v1/signatures/${id}/variants/${kind}`, options, { variant: params }),
      /** Publish the draft of a variant. Needs `signatures:write`. */
      publish: (id: string, kind: "reply" | "internal", params?: SignatureVariantPublishInput, options?: RequestOptions): Call<SignatureVariant, Body<SignatureVariant> & { warnings: CheckProblem[] }> | Call<PublicationRequest, Body<PublicationRequest> & { warnings: CheckProblem[] }> => client.post(path`/v1/signatures/${id}/variants/${kind}/publish`, options, params),
      /** Remove a variant: the primary signature is used again. Needs `signatures:delete`. */
      reset: (id: string, kind: "reply" | "internal", options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/signatures/${id}/variants/${kind}`, options),
    },
  },
  recipientRules: {
    /** Count the addresses that conditions would reach. Needs `signatures:read`. */
    preview: (params: RecipientRulesPreviewInput, options?: RequestOptions): Call<RecipientRulesPreview> => client.read('/v1/recipient_rules/preview', options, params),
  },
  installations: {
    /** List what is on its way to mailboxes, or has arrived. Needs `installations:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      status?: "pending" | "installed" | "drifted" | "failed" | "uninstalled" | undefined
      email_id?: string | undefined
      signature_template_id?: string | undefined
      integration_id?: string | undefined
      /** Only addresses whose mail program has reported a trouble. */
      trouble?: "any" | undefined
      /** Only records that were created or changed at or after this instant (or day, in UTC). A request that is being processed can commit an earlier `updated_at` later: let the next call begin a minute before the last one. */
      updated_since?: string | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "status" | "-status" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | undefined
    }, options?: RequestOptions): ListCall<Installation> => client.get('/v1/installations', options, params),
    /** Read an installation. Needs `installations:read`. */
    get: (id: string, options?: RequestOptions): Call<Installation> => client.get(path`/v1/installations/${id}`, options),
  },
  publicationRequests: {
    /** List the requests to publish. Needs `signatures:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only requests with this status. */
      status?: "pending" | "approved" | "rejected" | "replaced" | undefined
      /** Only requests for this signature. */
      signature_id?: string | undefined
    }, options?: RequestOptions): ListCall<PublicationRequestListItem> => client.get('/v1/publication_requests', options, params),
    /** Read a request to publish, with the content before and after. Needs `signatures:read`. */
    get: (id: string, options?: RequestOptions): Call<PublicationRequest> => client.get(path`/v1/publication_requests/${id}`, options),
    /** Approve a request: its content goes live. Needs `signatures:write`. */
    approve: (id: string, params?: SignaturePublishInput, options?: RequestOptions): Call<PublicationRequest> => client.post(path`/v1/publication_requests/${id}/approve`, options, params),
    /** Reject a request: nothing is published. Needs `signatures:write`. */
    reject: (id: string, params?: PublicationRejectionInput, options?: RequestOptions): Call<PublicationRequest> => client.post(path`/v1/publication_requests/${id}/reject`, options, params),
  },
  content: {
    /** Validate and render content without keeping it. Needs `signatures:read`. */
    preview: (params: { content: Content; email_id?: string | undefined } & {
      /** The campaign to show, in any state, or `none`. Left out: the one that runs for the address; without an address, the one that every recipient sees. */
      campaign?: string | undefined
    }, options?: RequestOptions): Call<InstallablePreview> => client.read('/v1/content/preview', options, without(params, 'campaign'), only(params, 'campaign')),
    /** The same as a picture. Needs `signatures:read`. */
    previewPng: (params: { content: Content; email_id?: string | undefined } & {
      /** The campaign to show, in any state, or `none`. Left out: the one that runs for the address; without an address, the one that every recipient sees. */
      campaign?: string | undefined
      theme?: "light" | "dark" | undefined
      width?: "desktop" | "phone" | undefined
    }, options?: RequestOptions): Call<Response, Response> => client.read('/v1/content/preview.png', options, without(params, 'campaign', 'theme', 'width'), only(params, 'campaign', 'theme', 'width')),
    /** The addresses of the pictures in a signature. Needs `signatures:read`. */
    pictures: (params: PicturesInput, options?: RequestOptions): Call<({ url: string; width?: number | undefined; height?: number | undefined } | null)[]> => client.read('/v1/content/pictures', options, params),
    /** The values that fill a signature. Needs `signatures:read`. */
    person: (params?: {
      /** Whose values. Not together with `sample`. */
      email_id?: string | undefined
      /** `placeholder`: the values of previews without an address (also when neither is sent). `longest`: of each field, the longest value of an active teammate (in workspaces of more than 20,000: of those who were added last). */
      sample?: "placeholder" | "longest" | undefined
      /** For `running_campaigns`. Left out: only campaigns for all signatures. */
      signature_id?: string | undefined
    }, options?: RequestOptions): Call<RenderedPerson> => client.get('/v1/content/person', options, params),
    /** The blocks that content is made of, with a worked example. */
    schema: (options?: RequestOptions): Call<{ schema: unknown; enums: Record<string, string[]>; example: Content }> => client.get('/v1/content_schema', options),
    /** Turn the HTML of an existing signature into content. Needs `signatures:write`. */
    import: (params: ContentImportInput, options?: RequestOptions): Call<ContentImport> => client.post('/v1/content/import', options, params),
  },
  templates: {
    /** List templates: finished signatures to start from. Needs `signatures:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<Template> => client.get('/v1/templates', options, params),
    /** Read a template. Needs `signatures:read`. */
    get: (id: "corporate-classic" | "corporate-profile" | "corporate-letterhead" | "corporate-accent-bar" | "corporate-card" | "corporate-executive" | "sales-meeting" | "sales-banner" | "sales-contact-card" | "creative-serif" | "creative-portrait-top" | "creative-panel" | "legal-counsel" | "legal-chambers" | "health-clinic" | "health-practice" | "education-faculty" | "education-campus" | "minimal-one-line" | "minimal-stack" | "reply-two-lines" | "reply-portrait" | "internal-directory" | "internal-compact", options?: RequestOptions): Call<Template> => client.get(path`/v1/templates/${id}`, options),
    /** Fill a template with a brand that is not saved yet. Needs `signatures:read`. */
    fill: (id: "corporate-classic" | "corporate-profile" | "corporate-letterhead" | "corporate-accent-bar" | "corporate-card" | "corporate-executive" | "sales-meeting" | "sales-banner" | "sales-contact-card" | "creative-serif" | "creative-portrait-top" | "creative-panel" | "legal-counsel" | "legal-chambers" | "health-clinic" | "health-practice" | "education-faculty" | "education-campus" | "minimal-one-line" | "minimal-stack" | "reply-two-lines" | "reply-portrait" | "internal-directory" | "internal-compact", params?: BrandPatch, options?: RequestOptions): Call<Template> => client.read(path`/v1/templates/${id}/fill`, options, params && { brand: params }),
  },
  marketingCampaigns: {
    /** List campaigns. Needs `marketing_campaigns:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      status?: "draft" | "scheduled" | "active" | "paused" | "ended" | undefined
      /** Part of the name, in upper or lower case. */
      search?: string | undefined
      /** Only those that are for this signature, or for all. */
      signature_template_id?: string | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "name" | "-name" | "status" | "-status" | "start_time" | "-start_time" | "end_time" | "-end_time" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | undefined
    }, options?: RequestOptions): ListCall<MarketingCampaign> => client.get('/v1/marketing_campaigns', options, params),
    /** Create a campaign, as a draft. Needs `marketing_campaigns:write`. */
    create: (params: MarketingCampaignInput, options?: RequestOptions): Call<MarketingCampaign> => client.post('/v1/marketing_campaigns', options, { marketing_campaign: params }),
    /** Read a campaign. Needs `marketing_campaigns:read`. */
    get: (id: string, options?: RequestOptions): Call<MarketingCampaign> => client.get(path`/v1/marketing_campaigns/${id}`, options),
    /** Change a campaign that has not ended. Needs `marketing_campaigns:write`. */
    update: (id: string, params: MarketingCampaignPatch, options?: RequestOptions): Call<MarketingCampaign> => client.patch(path`/v1/marketing_campaigns/${id}`, options, { marketing_campaign: params }),
    /** Delete a campaign; a live one is stopped first. Needs `marketing_campaigns:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/marketing_campaigns/${id}`, options),
    /** Let a campaign go live at its time. Needs `marketing_campaigns:write`. */
    schedule: (id: string, options?: RequestOptions): Call<MarketingCampaign, Body<MarketingCampaign> & { warnings: MarketingCampaignWarning[] }> => client.post(path`/v1/marketing_campaigns/${id}/schedule`, options),
    /** Take a campaign down until it is resumed. Needs `marketing_campaigns:write`. */
    pause: (id: string, options?: RequestOptions): Call<MarketingCampaign> => client.post(path`/v1/marketing_campaigns/${id}/pause`, options),
    /** Let a paused campaign go on. Needs `marketing_campaigns:write`. */
    resume: (id: string, options?: RequestOptions): Call<MarketingCampaign, Body<MarketingCampaign> & { warnings: MarketingCampaignWarning[] }> => client.post(path`/v1/marketing_campaigns/${id}/resume`, options),
    /** End a campaign now. Needs `marketing_campaigns:write`. */
    end: (id: string, options?: RequestOptions): Call<MarketingCampaign> => client.post(path`/v1/marketing_campaigns/${id}/end`, options),
    /** A banner as HTML and as text, without tracking. Needs `marketing_campaigns:read`. */
    preview: (id: string, params?: {
      /** Whose values to fill in. Left out: placeholders. */
      email_id?: string | undefined
    }, options?: RequestOptions): Call<MarketingCampaignPreview> => client.get(path`/v1/marketing_campaigns/${id}/preview`, options, params),
    /** A banner as a picture. Needs `marketing_campaigns:read`. */
    previewPng: (id: string, params?: {
      /** Whose values to fill in. Left out: placeholders. */
      email_id?: string | undefined
      /** Which of the compared banners. */
      variant_id?: string | undefined
      theme?: "light" | "dark" | undefined
      width?: "desktop" | "phone" | undefined
    }, options?: RequestOptions): Call<Response, Response> => client.get(path`/v1/marketing_campaigns/${id}/preview.png`, options, params),
    /** The addresses that a campaign would reach if it were live. Needs `marketing_campaigns:read`. */
    audience: (id: string, params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<ReachedAddress, Page<ReachedAddress> & { variants: CampaignVariantCount[]; warnings: MarketingCampaignWarning[] }> => client.get(path`/v1/marketing_campaigns/${id}/audience`, options, params),
    /** Which of the compared banners is best, and how certain that is. Needs `analytics:read`. */
    results: (id: string, params?: {
      /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
      start_date?: string | undefined
      /** A day (included) or an instant (excluded). Left out: today. */
      end_date?: string | undefined
    }, options?: RequestOptions): Call<MarketingCampaignResults> => client.get(path`/v1/marketing_campaigns/${id}/results`, options, params),
    /** Show one of the compared banners to all addresses. Needs `marketing_campaigns:write`. */
    promote: (id: string, params: MarketingCampaignPromotion, options?: RequestOptions): Call<MarketingCampaign> => client.post(path`/v1/marketing_campaigns/${id}/promote`, options, params),
  },
  smartFields: {
    /** Where smart fields are used, and how many people lack them. Needs `smart_fields:read`. */
    usage: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<SmartFieldUsage> => client.get('/v1/smart_fields/usage', options, params),
    /** List smart fields. Needs `smart_fields:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "label" | "-label" | "kind" | "-kind" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | undefined
    }, options?: RequestOptions): ListCall<SmartField> => client.get('/v1/smart_fields', options, params),
    /** Create a smart field. Needs `smart_fields:write`. */
    create: (params: SmartFieldInput, options?: RequestOptions): Call<SmartField> => client.post('/v1/smart_fields', options, { smart_field: params }),
    /** Read a smart field. Needs `smart_fields:read`. */
    get: (id: string, options?: RequestOptions): Call<SmartField> => client.get(path`/v1/smart_fields/${id}`, options),
    /** Change a smart field. Needs `smart_fields:write`. */
    update: (id: string, params?: SmartFieldPatch, options?: RequestOptions): Call<SmartField> => client.patch(path`/v1/smart_fields/${id}`, options, params && { smart_field: params }),
    /** Delete a smart field with its values. Needs `smart_fields:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/smart_fields/${id}`, options),
  },
  folders: {
    /** List folders. Needs `folders:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | undefined
    }, options?: RequestOptions): ListCall<Folder> => client.get('/v1/folders', options, params),
    /** Create a folder. Needs `folders:write`. */
    create: (params: FolderInput, options?: RequestOptions): Call<Folder> => client.post('/v1/folders', options, { folder: params }),
    /** Read a folder. Needs `folders:read`. */
    get: (id: string, options?: RequestOptions): Call<Folder> => client.get(path`/v1/folders/${id}`, options),
    /** Rename a folder. Needs `folders:write`. */
    update: (id: string, params?: FolderPatch, options?: RequestOptions): Call<Folder> => client.patch(path`/v1/folders/${id}`, options, params && { folder: params }),
    /** Delete an empty folder. Needs `folders:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/folders/${id}`, options),
  },
  assets: {
    /** List images. Needs `assets:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only those with this role. */
      role?: "company_logo" | "profile_picture" | "banner" | undefined
      /** All but those with this role. */
      without_role?: "company_logo" | "profile_picture" | "banner" | undefined
      /** Only those with this text in their name or file name. */
      search?: string | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "name" | "-name" | "byte_size" | "-byte_size" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | undefined
    }, options?: RequestOptions): ListCall<Asset> => client.get('/v1/assets', options, params),
    /** Add an image. Needs `assets:write`. */
    create: (params: AssetInput, options?: RequestOptions): Call<Asset> => client.post('/v1/assets', options, { asset: params }),
    /** Read an image. Needs `assets:read`. */
    get: (id: string, options?: RequestOptions): Call<Asset> => client.get(path`/v1/assets/${id}`, options),
    /** Rename an image, or change its role. Needs `assets:write`. */
    update: (id: string, params?: AssetPatch, options?: RequestOptions): Call<Asset> => client.patch(path`/v1/assets/${id}`, options, params && { asset: params }),
    /** Delete an image; where it is in use it goes on being shown. Needs `assets:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/assets/${id}`, options),
  },
  analytics: {
    /** Views, clicks and click-through rate over time. Needs `analytics:read`. */
    overview: (params?: {
      /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
      start_date?: string | undefined
      /** A day (included) or an instant (excluded). Left out: today. */
      end_date?: string | undefined
      signature_template_id?: string | undefined
      marketing_campaign_id?: string | undefined
      teammate_id?: string | undefined
      /** The two letters of ISO 3166. */
      country?: string | undefined
      /** A link: its id in the breakdown by `anchor`. */
      anchor_id?: string | undefined
      interval?: "hour" | "day" | "week" | "month" | undefined
    }, options?: RequestOptions): Call<AnalyticsOverview> => client.get('/v1/analytics/overview', options, params),
    /** Views, clicks and click-through rate by what they belong to. Needs `analytics:read`. */
    breakdown: (params: {
      /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
      start_date?: string | undefined
      /** A day (included) or an instant (excluded). Left out: today. */
      end_date?: string | undefined
      signature_template_id?: string | undefined
      marketing_campaign_id?: string | undefined
      teammate_id?: string | undefined
      /** The two letters of ISO 3166. */
      country?: string | undefined
      /** A link: its id in the breakdown by `anchor`. */
      anchor_id?: string | undefined
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      dimension: "signature_template" | "marketing_campaign" | "campaign_variant" | "teammate" | "country" | "anchor"
      order_by?: "views" | "clicks" | "clickthrough_rate" | undefined
      order?: "asc" | "desc" | undefined
    }, options?: RequestOptions): ListCall<AnalyticsBreakdownRow> => client.get('/v1/analytics/breakdown', options, params),
    /** Count views, over time or by what they belong to. Needs `analytics:read`. */
    views: (params?: {
      /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
      start_date?: string | undefined
      /** A day (included) or an instant (excluded). Left out: today. */
      end_date?: string | undefined
      signature_template_id?: string | undefined
      marketing_campaign_id?: string | undefined
      teammate_id?: string | undefined
      /** The two letters of ISO 3166. */
      country?: string | undefined
      /** A link: its id in the breakdown by `anchor`. */
      anchor_id?: string | undefined
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      granularity?: "hour" | "day" | "week" | "month" | undefined
      /** Instead of a series. */
      group_by?: "signature_template" | "marketing_campaign" | "campaign_variant" | "teammate" | "country" | "anchor" | undefined
    }, options?: RequestOptions): Call<AnalyticsPeriodCount[], Body<AnalyticsPeriodCount[]> & { totals: { count: number } }> | ListCall<AnalyticsGroupRow> => client.get('/v1/analytics/views', options, params),
    /** Count clicks, over time or by what they belong to. Needs `analytics:read`. */
    clicks: (params?: {
      /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
      start_date?: string | undefined
      /** A day (included) or an instant (excluded). Left out: today. */
      end_date?: string | undefined
      signature_template_id?: string | undefined
      marketing_campaign_id?: string | undefined
      teammate_id?: string | undefined
      /** The two letters of ISO 3166. */
      country?: string | undefined
      /** A link: its id in the breakdown by `anchor`. */
      anchor_id?: string | undefined
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      granularity?: "hour" | "day" | "week" | "month" | undefined
      /** Instead of a series. */
      group_by?: "signature_template" | "marketing_campaign" | "campaign_variant" | "teammate" | "country" | "anchor" | undefined
    }, options?: RequestOptions): Call<AnalyticsPeriodCount[], Body<AnalyticsPeriodCount[]> & { totals: { count: number } }> | ListCall<AnalyticsGroupRow> => client.get('/v1/analytics/clicks', options, params),
    /** All events as CSV, views and clicks included. Needs `analytics:read`. */
    export: (params?: {
      /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
      start_date?: string | undefined
      /** A day (included) or an instant (excluded). Left out: today. */
      end_date?: string | undefined
      signature_template_id?: string | undefined
      marketing_campaign_id?: string | undefined
      teammate_id?: string | undefined
      /** The two letters of ISO 3166. */
      country?: string | undefined
      /** A link: its id in the breakdown by `anchor`. */
      anchor_id?: string | undefined
      /** Views are called `$view`, clicks `$click`. */
      name?: string | undefined
      distinct_id?: string | undefined
      /** What bots, link scanners, prefetching and HEAD requests did is left out of all numbers; here it can be seen. */
      outcome?: "counted" | "bot" | "scanner" | "prefetch" | "head" | "any" | undefined
    }, options?: RequestOptions): Call<Response, Response> => client.get('/v1/analytics/export', options, params),
    events: {
      /** Record an event. Needs `analytics:write`. */
      record: (params: EventInput, options?: RequestOptions): Call<EventReceipt> => client.post('/v1/analytics/events', options, { event: params }),
      /** List recorded events; views and clicks when asked for by name. Needs `analytics:read`. */
      list: (params?: {
        /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
        start_date?: string | undefined
        /** A day (included) or an instant (excluded). Left out: today. */
        end_date?: string | undefined
        signature_template_id?: string | undefined
        marketing_campaign_id?: string | undefined
        teammate_id?: string | undefined
        /** The two letters of ISO 3166. */
        country?: string | undefined
        /** A link: its id in the breakdown by `anchor`. */
        anchor_id?: string | undefined
        /** Views are called `$view`, clicks `$click`. */
        name?: string | undefined
        distinct_id?: string | undefined
        /** What bots, link scanners, prefetching and HEAD requests did is left out of all numbers; here it can be seen. */
        outcome?: "counted" | "bot" | "scanner" | "prefetch" | "head" | "any" | undefined
        /** The page, from 1 to 1,000,000. */
        page?: number | undefined
        /** Records on a page. */
        limit?: number | undefined
      }, options?: RequestOptions): ListCall<RecordedEvent> => client.get('/v1/analytics/events', options, params),
      /** Count recorded events and add up their values. Needs `analytics:read`. */
      summary: (params?: {
        /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
        start_date?: string | undefined
        /** A day (included) or an instant (excluded). Left out: today. */
        end_date?: string | undefined
        signature_template_id?: string | undefined
        marketing_campaign_id?: string | undefined
        teammate_id?: string | undefined
        /** The two letters of ISO 3166. */
        country?: string | undefined
        /** A link: its id in the breakdown by `anchor`. */
        anchor_id?: string | undefined
        /** Views are called `$view`, clicks `$click`. */
        name?: string | undefined
        distinct_id?: string | undefined
        /** What bots, link scanners, prefetching and HEAD requests did is left out of all numbers; here it can be seen. */
        outcome?: "counted" | "bot" | "scanner" | "prefetch" | "head" | "any" | undefined
        /** The page, from 1 to 1,000,000. */
        page?: number | undefined
        /** Records on a page. */
        limit?: number | undefined
        group_by?: "name" | "signature_template" | "marketing_campaign" | "teammate" | "anchor" | "country" | "currency" | "user" | undefined
      }, options?: RequestOptions): ListCall<EventSummaryRow, Page<EventSummaryRow> & { totals: EventSummaryTotals }> => client.get('/v1/analytics/events/summary', options, params),
    },
    visitors: {
      /** List who was behind recorded events. Needs `analytics:read`. */
      list: (params?: {
        /** A day (`2026-11-01`, in UTC, included) or an instant. Left out: 30 days before the end. */
        start_date?: string | undefined
        /** A day (included) or an instant (excluded). Left out: today. */
        end_date?: string | undefined
        signature_template_id?: string | undefined
        marketing_campaign_id?: string | undefined
        teammate_id?: string | undefined
        /** The two letters of ISO 3166. */
        country?: string | undefined
        /** A link: its id in the breakdown by `anchor`. */
        anchor_id?: string | undefined
        /** Views are called `$view`, clicks `$click`. */
        name?: string | undefined
        distinct_id?: string | undefined
        /** What bots, link scanners, prefetching and HEAD requests did is left out of all numbers; here it can be seen. */
        outcome?: "counted" | "bot" | "scanner" | "prefetch" | "head" | "any" | undefined
        /** The page, from 1 to 1,000,000. */
        page?: number | undefined
        /** Records on a page. */
        limit?: number | undefined
      }, options?: RequestOptions): ListCall<Visitor> => client.get('/v1/analytics/visitors', options, params),
    },
  },
  integrations: {
    /** Connect a system. Needs `integrations:write`. */
    create: (params: IntegrationInput, options?: RequestOptions): Call<CreatedIntegration> => client.post('/v1/integrations', options, { integration: params }),
    /** Change a connected system. Needs `integrations:write`. */
    update: (id: string, params?: IntegrationPatch, options?: RequestOptions): Call<Integration> => client.patch(path`/v1/integrations/${id}`, options, params && { integration: params }),
    /** Disconnect a system. Needs `integrations:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/integrations/${id}`, options),
    /** Try every permission of a connected system. Needs `integrations:write`. */
    test: (id: string, options?: RequestOptions): Call<IntegrationTest> => client.post(path`/v1/integrations/${id}/test`, options),
    /** List active integrations. Needs `integrations:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<Integration> => client.get('/v1/integrations', options, params),
    /** Read an integration. Needs `integrations:read`. */
    get: (id: string, options?: RequestOptions): Call<Integration> => client.get(path`/v1/integrations/${id}`, options),
    /** List what a directory knows about people. Needs `integrations:read`. */
    attributes: (id: string, options?: RequestOptions): Call<IntegrationAttribute[]> => client.get(path`/v1/integrations/${id}/attributes`, options),
  },
  integrationEntities: {
    /** List org units and groups of the connected integrations. Needs `integrations:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only those of this integration. */
      integration_id?: string | undefined
    }, options?: RequestOptions): ListCall<IntegrationEntity> => client.get('/v1/integration_entities', options, params),
    /** Read an org unit or group. Needs `integrations:read`. */
    get: (id: string, options?: RequestOptions): Call<IntegrationEntity> => client.get(path`/v1/integration_entities/${id}`, options),
  },
  relayMessages: {
    /** List what the relay did with messages. Needs `integrations:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only those of this relay. */
      integration_id?: string | undefined
      outcome?: "stamped" | "passed" | "deferred" | "rejected" | undefined
      /** Only those with this reason, such as `encrypted`. */
      reason?: string | undefined
      /** Only those from or to this domain. */
      domain?: string | undefined
      /** A day (`2026-11-01`, in UTC) or an instant; included. */
      since?: string | undefined
      /** A day (included) or an instant (excluded). */
      until?: string | undefined
    }, options?: RequestOptions): ListCall<RelayMessage> => client.get('/v1/relay_messages', options, params),
    /** Read what the relay did with a message. Needs `integrations:read`. */
    get: (id: string, options?: RequestOptions): Call<RelayMessage> => client.get(path`/v1/relay_messages/${id}`, options),
  },
  deploymentTokens: {
    /** List the tokens of an Outlook add-in, with the addresses of its manifests. Needs `integrations:write`. */
    list: (id: string, options?: RequestOptions): Call<DeploymentToken[]> => client.get(path`/v1/integrations/${id}/deployment_tokens`, options),
    /** Make a second token, to replace the first one. Needs `integrations:write`. */
    create: (id: string, options?: RequestOptions): Call<CreatedDeploymentToken> => client.post(path`/v1/integrations/${id}/deployment_tokens`, options),
    /** Revoke a token. Needs `integrations:write`. */
    delete: (id: string, tokenId: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/integrations/${id}/deployment_tokens/${tokenId}`, options),
  },
  syncRuns: {
    /** List runs of directories. Needs `integrations:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only those of this integration. */
      integration_id?: string | undefined
      status?: "running" | "succeeded" | "held" | "approved" | "superseded" | "failed" | undefined
    }, options?: RequestOptions): ListCall<SyncRunSummary> => client.get('/v1/sync_runs', options, params),
    /** Read a run of a directory. Needs `integrations:read`. */
    get: (id: string, options?: RequestOptions): Call<SyncRun> => client.get(path`/v1/sync_runs/${id}`, options),
    /** Let the leavers of a held run go. Needs `integrations:write`. */
    approve: (id: string, options?: RequestOptions): Call<SyncRun> => client.post(path`/v1/sync_runs/${id}/approve`, options),
  },
  webhooks: {
    /** List webhooks. Needs `webhooks:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<Webhook> => client.get('/v1/webhooks', options, params),
    /** Create a webhook. Needs `webhooks:write`. */
    create: (params: WebhookInput, options?: RequestOptions): Call<NewWebhook> => client.post('/v1/webhooks', options, { webhook: params }),
    /** Read a webhook, without its secret. Needs `webhooks:read`. */
    get: (id: string, options?: RequestOptions): Call<Webhook> => client.get(path`/v1/webhooks/${id}`, options),
    /** Change a webhook, or switch it on or off. Needs `webhooks:write`. */
    update: (id: string, params?: WebhookPatch, options?: RequestOptions): Call<Webhook> => client.patch(path`/v1/webhooks/${id}`, options, params && { webhook: params }),
    /** Give a webhook a new secret; the old one signs too for 24 hours. Needs `webhooks:write`. */
    rotate: (id: string, options?: RequestOptions): Call<NewWebhook> => client.post(path`/v1/webhooks/${id}/rotate`, options),
    /** Send a test event. Needs `webhooks:write`. */
    test: (id: string, options?: RequestOptions): Call<WebhookDelivery> => client.post(path`/v1/webhooks/${id}/test`, options),
    /** Delete a webhook. Needs `webhooks:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/webhooks/${id}`, options),
    /** Send the events of a webhook again, from a moment on. Needs `webhooks:write`. */
    replay: (id: string, params: ReplayInput, options?: RequestOptions): Call<QueuedReplay> => client.post(path`/v1/webhooks/${id}/replay`, options, params),
  },
  webhookDeliveries: {
    /** List what was sent to webhooks, or waits to be sent. Needs `webhooks:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only those of this webhook. */
      webhook_id?: string | undefined
      event?: "signature.published" | "signature.deactivated" | "installation.succeeded" | "installation.failed" | "installation.drifted" | "teammate.created" | "teammate.updated" | "teammate.deleted" | "marketing_campaign.started" | "marketing_campaign.ended" | "marketing_campaign.paused" | "directory.synced" | "sync.held" | "integration.error" | "profile_change.requested" | "publication.requested" | "webhook.test" | undefined
      state?: "pending" | "delivered" | "failed" | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "created_at" | "-created_at" | undefined
    }, options?: RequestOptions): ListCall<WebhookDelivery> => client.get('/v1/webhook_deliveries', options, params),
    /** Read a delivery with its payload. Needs `webhooks:read`. */
    get: (id: string, options?: RequestOptions): Call<WebhookDeliveryWithPayload> => client.get(path`/v1/webhook_deliveries/${id}`, options),
    /** Send one delivery again. Needs `webhooks:write`. */
    replay: (id: string, options?: RequestOptions): Call<WebhookDelivery> => client.post(path`/v1/webhook_deliveries/${id}/replay`, options),
  },
  financialDocuments: {
    /** List invoices. Needs `financial_documents:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<FinancialDocument> => client.get('/v1/financial_documents', options, params),
    /** Read an invoice. Needs `financial_documents:read`. */
    get: (id: string, options?: RequestOptions): Call<FinancialDocument> => client.get(path`/v1/financial_documents/${id}`, options),
    /** Download the file of an invoice. Needs `financial_documents:read`. */
    file: (id: string, options?: RequestOptions): Call<Response, Response> => client.get(path`/v1/financial_documents/${id}/file`, options),
  },
  feedback: {
    /** Send feedback to the service team. */
    send: (params: FeedbackInput, options?: RequestOptions): Call<FeedbackReceipt> => client.post('/v1/feedback', options, params),
  },
  apiKeys: {
    /** List API keys. Needs `api_keys:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
    }, options?: RequestOptions): ListCall<ApiKey> => client.get('/v1/api_keys', options, params),
    /** Read an API key, without its secret. Needs `api_keys:read`. */
    get: (id: string, options?: RequestOptions): Call<ApiKey> => client.get(path`/v1/api_keys/${id}`, options),
    /** Create an API key. Needs `api_keys:write`. */
    create: (params: ApiKeyInput, options?: RequestOptions): Call<NewApiKey> => client.post('/v1/api_keys', options, { api_key: params }),
    /** Rename an API key, or change its scopes or expiry. Needs `api_keys:write`. */
    update: (id: string, params?: ApiKeyPatch, options?: RequestOptions): Call<ApiKey> => client.patch(path`/v1/api_keys/${id}`, options, params && { api_key: params }),
    /** Give an API key a new secret; the old one works for 24 hours more. Needs `api_keys:write`. */
    rotate: (id: string, options?: RequestOptions): Call<NewApiKey> => client.post(path`/v1/api_keys/${id}/rotate`, options),
    /** Revoke an API key; every process refuses it within 5 seconds. Needs `api_keys:delete`. */
    delete: (id: string, options?: RequestOptions): Call<undefined, undefined> => client.delete(path`/v1/api_keys/${id}`, options),
  },
  auditLog: {
    /** List what was changed, and by whom. Needs `audit_log:read`. */
    list: (params?: {
      /** The page, from 1 to 1,000,000. */
      page?: number | undefined
      /** Records on a page. */
      limit?: number | undefined
      /** Only this action, for example `folder.created`. */
      action?: string | undefined
      /** Only entries about resources of this type (`folder`), or with this id. */
      resource?: string | undefined
      /** Only the entries about this resource. */
      resource_id?: string | undefined
      /** Only what this member did. */
      member_id?: string | undefined
      /** Only what was done with this API key. */
      api_key_id?: string | undefined
      /** A day (`2026-11-01`, in UTC) or an instant; included. */
      since?: string | undefined
      /** A day (included) or an instant (excluded). */
      until?: string | undefined
      /** The property to order by, reversed by `-` in front. Records without a value come last; equal ones are in the order of `id`. Without it: newest first. */
      sort?: "created_at" | "-created_at" | undefined
    }, options?: RequestOptions): ListCall<AuditEntry> => client.get('/v1/audit_log', options, params),
  },
})

export type Resources = ReturnType<typeof resourcesOf>
