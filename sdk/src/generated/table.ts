// Generated from the route table: `npm run generate` writes it.
// A line per resource; src/client.ts says what its signs mean.
export const version = '0.1.0'

export const table = `workspace SE checklist=G~ updateChecklist=A/checklist^checklist
me S
members LGCUD resend makeOwner
ssoConnections LGCUD test
signInPolicy:workspace/sign_in_policy SE
brand:workspace/brand SE
teammates LGCUD import=P~+ listPictureFetches=G/picture_fetches+ setImage=U/*/images/*^image deleteImage=D/*/images/* updateMany=A^teammates listChanges=G/changes+ getChange=G/changes/* activate=P~+ deactivate=P~+ sync=P~+
profileChanges LG approve reject+ withdraw=D/* preview:G
imports LCGD preview:R+ apply+ report:G+
emails LCGUD explainSignature=G/*/signature+ install+
.personalPage S rotate=P~
signatures LCGUD html:G+ install installationProgress=G/*/installation invite publish+ deactivate duplicate^ check:G+ preview:G+ previewPng=G/*/preview.png+ sendTestEmail=P/*/test_email+?campaign
.recipients:emails L add=P+ removeMany=P/remove+ remove=D/*
.recipientRules S set=U+
.entities:integration_entities add=P+ remove=D/*
.versions LG restore
.variants GU list=G publish+ reset=D/*
recipientRules preview=R~+
installations LG
publicationRequests LG approve+ reject+
content preview=R~+?campaign previewPng=R/preview.png+?campaign,theme,width pictures=R~+ person=G~+ schema=G_schema import=P~+
templates LG fill:R^brand
marketingCampaigns LCGUD schedule pause resume end preview:G+ previewPng=G/*/preview.png+ audience:G+ results:G+ promote+
smartFields LCGUD usage=G~+
folders LCGUD
assets LCGUD
analytics overview=G~+ breakdown=G~+ views=G~+ clicks=G~+ export=G~+
/events L record=P^ summary=G~+
/visitors L
integrations CUDLG test attributes:G
integrationEntities LG
relayMessages LG
deploymentTokens:integrations/*/deployment_tokens D list=G create=P
syncRuns LG approve
webhooks LCGUD rotate test replay+
webhookDeliveries LG replay
financialDocuments LG file:G
feedback send=P+
apiKeys LGCUD rotate
auditLog L`
