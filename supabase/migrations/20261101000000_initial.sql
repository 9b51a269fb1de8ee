-- Generated from supabase/schemas by `npm run migration`. Do not edit.

set local check_function_bodies = off;

CREATE SCHEMA "nectar";

CREATE SCHEMA "private";

CREATE TABLE "nectar"."accounts" ("user_id" uuid NOT NULL, "email" text, "preferences" jsonb NOT NULL DEFAULT '{}'::jsonb, "drops_balance" integer NOT NULL DEFAULT 0, "read_notes_enabled" boolean NOT NULL DEFAULT false, "check_in_enabled" boolean NOT NULL DEFAULT false, "timezone" text NOT NULL DEFAULT 'UTC'::text, "leaderboard_visible" boolean NOT NULL DEFAULT true, "is_premium" boolean NOT NULL DEFAULT false, "suspended_until" timestamp(3) with time zone, "erasure_requested_at" timestamp(3) with time zone, "erases_at" timestamp(3) with time zone, "erasing_since" timestamp(3) with time zone, "erasure_attempts" integer NOT NULL DEFAULT 0, "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "active_tone_pack_id" uuid, CONSTRAINT "accounts_drops_balance_not_negative" CHECK ((drops_balance >= 0)), CONSTRAINT "accounts_erasing_is_requested" CHECK (((erasing_since IS NULL) OR (erases_at IS NOT NULL))), CONSTRAINT "accounts_erasure_has_times" CHECK (((erasure_requested_at IS NULL) = (erases_at IS NULL))), CONSTRAINT "accounts_pkey" PRIMARY KEY (user_id), CONSTRAINT "accounts_preferences_is_object" CHECK ((jsonb_typeof(preferences) = 'object'::text)), CONSTRAINT "accounts_preferences_size" CHECK ((octet_length((preferences)::text) <= 32768)), CONSTRAINT "accounts_timezone_length" CHECK (((char_length(timezone) >= 1) AND (char_length(timezone) <= 50))));

ALTER TABLE "nectar"."accounts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."audit_events" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "action" text NOT NULL, "target_id" uuid, "changed" text[] NOT NULL DEFAULT '{}'::text[], "request_id" uuid, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "audit_events_action_is_name" CHECK ((action ~ '^[A-Za-z]{1,100}$'::text)), CONSTRAINT "audit_events_changed_are_names" CHECK (((changed)::text ~ '^\{[A-Za-z_,]*\}$'::text)), CONSTRAINT "audit_events_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."audit_events" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."badge_definitions" ("level" smallint NOT NULL, "name" text NOT NULL, "min_engagement_increases" integer NOT NULL, "min_success_rate" numeric(5,2), "min_consecutive_days" integer, "emoji" text NOT NULL, "color" text NOT NULL, CONSTRAINT "badge_definitions_color_is_hex" CHECK ((color ~ '^#[0-9A-F]{6}$'::text)), CONSTRAINT "badge_definitions_emoji_length" CHECK (((char_length(emoji) >= 1) AND (char_length(emoji) <= 8))), CONSTRAINT "badge_definitions_first_is_free" CHECK (((level > 1) OR ((min_engagement_increases = 0) AND (min_success_rate IS NULL) AND (min_consecutive_days IS NULL)))), CONSTRAINT "badge_definitions_level_in_range" CHECK (((level >= 1) AND (level <= 7))), CONSTRAINT "badge_definitions_minima_in_range" CHECK (((min_engagement_increases >= 0) AND ((min_success_rate >= (0)::numeric) AND (min_success_rate <= (100)::numeric)) AND (min_consecutive_days >= 1))), CONSTRAINT "badge_definitions_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50))), CONSTRAINT "badge_definitions_pkey" PRIMARY KEY (level));

ALTER TABLE "nectar"."badge_definitions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."badge_milestones" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "level" smallint NOT NULL, "badge_name" text NOT NULL, "achieved_at" timestamp(3) with time zone NOT NULL, "stats" jsonb NOT NULL, CONSTRAINT "badge_milestones_level_in_range" CHECK (((level >= 1) AND (level <= 7))), CONSTRAINT "badge_milestones_one_for_a_level" UNIQUE (user_id, level), CONSTRAINT "badge_milestones_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."badge_milestones" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."battles" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "week_start_date" date NOT NULL, "red_team_chips" integer NOT NULL DEFAULT 0, "blue_team_chips" integer NOT NULL DEFAULT 0, "red_team_members" integer NOT NULL DEFAULT 0, "blue_team_members" integer NOT NULL DEFAULT 0, "red_team_robot_power" integer NOT NULL DEFAULT 0, "blue_team_robot_power" integer NOT NULL DEFAULT 0, "battle_result" jsonb, "daily_chips" jsonb, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "battles_not_negative" CHECK ((LEAST(red_team_chips, blue_team_chips, red_team_members, blue_team_members, red_team_robot_power, blue_team_robot_power) >= 0)), CONSTRAINT "battles_one_a_week" UNIQUE (week_start_date), CONSTRAINT "battles_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."battles" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."blocks" ("blocked_id" uuid NOT NULL, "is_named" boolean NOT NULL DEFAULT false, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now());

ALTER TABLE "nectar"."blocks" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."chains" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "date" date NOT NULL, "user_id" uuid NOT NULL, "before_user_id" uuid, "after_user_id" uuid, "squad_id" uuid, "area_key" text NOT NULL, "custom_activity" text, "timezone" text NOT NULL, "window_start_time" time(0) without time zone NOT NULL, "window_end_time" time(0) without time zone NOT NULL, "window_starts_at" timestamp(3) with time zone NOT NULL, "window_ends_at" timestamp(3) with time zone NOT NULL, "day_ends_at" timestamp(3) with time zone NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "chains_day_ends_after_the_window" CHECK ((day_ends_at > window_ends_at)), CONSTRAINT "chains_not_linked_to_self" CHECK (((user_id <> before_user_id) AND (user_id <> after_user_id))), CONSTRAINT "chains_pkey" PRIMARY KEY (id), CONSTRAINT "chains_window_ends_after_its_start" CHECK ((window_ends_at > window_starts_at)));

ALTER TABLE "nectar"."chains" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "nectar"."chains" SET (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=5000);

CREATE TABLE "nectar"."conversion_rates" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "rate" numeric(14,4) NOT NULL, "effective_date" timestamp(3) with time zone NOT NULL DEFAULT now(), "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "conversion_rates_pkey" PRIMARY KEY (id), CONSTRAINT "conversion_rates_rate_positive" CHECK ((rate > (0)::numeric)));

ALTER TABLE "nectar"."conversion_rates" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."drop_templates" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "title" text NOT NULL, "content" text NOT NULL, "media_url" text, "thumbnail_url" text, "is_approved" boolean NOT NULL DEFAULT false, "usage_count" integer NOT NULL DEFAULT 0, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "drop_templates_content_length" CHECK (((char_length(content) >= 1) AND (char_length(content) <= 500))), CONSTRAINT "drop_templates_link_is_https" CHECK (((media_url ~ '^https://'::text) AND (char_length(media_url) <= 2048))), CONSTRAINT "drop_templates_pkey" PRIMARY KEY (id), CONSTRAINT "drop_templates_thumbnail_is_https" CHECK (((thumbnail_url ~ '^https://'::text) AND (char_length(thumbnail_url) <= 2048))), CONSTRAINT "drop_templates_thumbnail_is_of_link" CHECK (((thumbnail_url IS NULL) OR (media_url IS NOT NULL))), CONSTRAINT "drop_templates_title_length" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 100))), CONSTRAINT "drop_templates_usage_not_negative" CHECK ((usage_count >= 0)));

ALTER TABLE "nectar"."drop_templates" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."drop_transactions" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "amount" integer NOT NULL, "balance_after" integer NOT NULL, "description" text NOT NULL, "item_id" uuid, "item_type" text, "event_key" text NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "drop_transactions_balance_not_negative" CHECK ((balance_after >= 0)), CONSTRAINT "drop_transactions_once_per_event" UNIQUE (user_id, event_key), CONSTRAINT "drop_transactions_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."drop_transactions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."encouragement_allowances" ("user_id" uuid NOT NULL, "date" date NOT NULL, "daily_allowance" integer NOT NULL, "drops_used" integer NOT NULL DEFAULT 0, "custom_drops_used" integer NOT NULL DEFAULT 0, "bonus_earned" integer NOT NULL DEFAULT 0, "bonus_carried" integer NOT NULL DEFAULT 0, CONSTRAINT "encouragement_allowances_custom_are_used" CHECK ((custom_drops_used <= drops_used)), CONSTRAINT "encouragement_allowances_not_negative" CHECK ((LEAST(daily_allowance, drops_used, custom_drops_used, bonus_earned, bonus_carried) >= 0)), CONSTRAINT "encouragement_allowances_pkey" PRIMARY KEY (user_id, date));

ALTER TABLE "nectar"."encouragement_allowances" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."encouragement_config" ("id" boolean NOT NULL DEFAULT true, "daily_allowance" integer NOT NULL DEFAULT 5, "bonus_drops_per_engagement" integer NOT NULL DEFAULT 2, "engagement_window_hours" integer NOT NULL DEFAULT 24, "max_custom_drops_per_day" integer NOT NULL DEFAULT 3, "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "encouragement_config_allowance_in_range" CHECK (((daily_allowance >= 0) AND (daily_allowance <= 100))), CONSTRAINT "encouragement_config_bonus_in_range" CHECK (((bonus_drops_per_engagement >= 0) AND (bonus_drops_per_engagement <= 100))), CONSTRAINT "encouragement_config_custom_in_range" CHECK (((max_custom_drops_per_day >= 0) AND (max_custom_drops_per_day <= 100))), CONSTRAINT "encouragement_config_is_one_row" CHECK (id), CONSTRAINT "encouragement_config_pkey" PRIMARY KEY (id), CONSTRAINT "encouragement_config_window_in_range" CHECK (((engagement_window_hours >= 1) AND (engagement_window_hours <= 168))));

ALTER TABLE "nectar"."encouragement_config" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."encouragement_drops" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "sender_id" uuid NOT NULL, "recipient_id" uuid NOT NULL, "template_id" uuid, "title" text, "content" text NOT NULL, "media_url" text, "thumbnail_url" text, "entry_id" uuid, "goal_id" uuid, "is_custom" boolean NOT NULL, "date_sent" date NOT NULL, "created_at" timestamp(3) with time zone NOT NULL, "read_at" timestamp(3) with time zone, "hidden_at" timestamp(3) with time zone, "engagement_until" timestamp(3) with time zone NOT NULL, "engaged_at" timestamp(3) with time zone, "bonus_drops_awarded" integer NOT NULL DEFAULT 0, CONSTRAINT "encouragement_drops_about_one_thing" CHECK ((num_nonnulls(entry_id, goal_id) <= 1)), CONSTRAINT "encouragement_drops_content_length" CHECK (((char_length(content) >= 1) AND (char_length(content) <= 500))), CONSTRAINT "encouragement_drops_day_is_utc" CHECK ((date_sent = ((created_at AT TIME ZONE 'UTC'::text))::date)), CONSTRAINT "encouragement_drops_link_is_https" CHECK (((media_url ~ '^https://'::text) AND (char_length(media_url) <= 2048))), CONSTRAINT "encouragement_drops_not_to_sender" CHECK ((sender_id <> recipient_id)), CONSTRAINT "encouragement_drops_not_to_the_assistant" CHECK ((recipient_id <> '00000000-0000-4000-8000-000000000001'::uuid)), CONSTRAINT "encouragement_drops_pkey" PRIMARY KEY (id), CONSTRAINT "encouragement_drops_thumbnail_is_https" CHECK (((thumbnail_url ~ '^https://'::text) AND (char_length(thumbnail_url) <= 2048))), CONSTRAINT "encouragement_drops_thumbnail_is_of_link" CHECK (((thumbnail_url IS NULL) OR (media_url IS NOT NULL))), CONSTRAINT "encouragement_drops_title_length" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 100))), CONSTRAINT "encouragement_drops_window_is_later" CHECK ((engagement_until > created_at)));

ALTER TABLE "nectar"."encouragement_drops" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."entry_backgrounds" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "entry_id" uuid, "quality" text NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "entry_backgrounds_one_per_entry" UNIQUE (entry_id), CONSTRAINT "entry_backgrounds_pkey" PRIMARY KEY (id), CONSTRAINT "entry_backgrounds_quality_known" CHECK ((quality = ANY (ARRAY['standard'::text, 'hd'::text]))));

ALTER TABLE "nectar"."entry_backgrounds" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."entry_pictures" ("id" uuid NOT NULL, "thumbnail_id" uuid NOT NULL, "entry_id" uuid, "trashed_entry_id" uuid, "position" integer NOT NULL, "caption" text, "width" integer NOT NULL, "height" integer NOT NULL, "size_bytes" integer NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "entry_pictures_caption_length" CHECK (((char_length(caption) >= 1) AND (char_length(caption) <= 500))), CONSTRAINT "entry_pictures_height" CHECK (((height >= 1) AND (height <= 2048))), CONSTRAINT "entry_pictures_one_entry" CHECK ((num_nonnulls(entry_id, trashed_entry_id) = 1)), CONSTRAINT "entry_pictures_one_per_position" UNIQUE (entry_id, "position") DEFERRABLE, CONSTRAINT "entry_pictures_pkey" PRIMARY KEY (id), CONSTRAINT "entry_pictures_position" CHECK ((("position" >= 0) AND ("position" <= 19))), CONSTRAINT "entry_pictures_size" CHECK ((size_bytes > 0)), CONSTRAINT "entry_pictures_width" CHECK (((width >= 1) AND (width <= 2048))));

ALTER TABLE "nectar"."entry_pictures" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."exports" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "ready_at" timestamp(3) with time zone, "expires_at" timestamp(3) with time zone, "size_bytes" bigint, "sha256" text, "attempts" integer NOT NULL DEFAULT 0, "claim" uuid, CONSTRAINT "exports_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."exports" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."goal_check_in_contents" ("check_in_id" uuid NOT NULL, "goal_id" uuid NOT NULL, "notes" text NOT NULL DEFAULT ''::text, CONSTRAINT "goal_check_in_contents_notes_length" CHECK ((char_length(notes) <= 2000)), CONSTRAINT "goal_check_in_contents_pkey" PRIMARY KEY (check_in_id));

ALTER TABLE "nectar"."goal_check_in_contents" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."goal_check_ins" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "goal_id" uuid NOT NULL, "check_in_date" date NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "goal_check_ins_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."goal_check_ins" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."goal_contents" ("goal_id" uuid NOT NULL, "user_id" uuid NOT NULL, "description" text NOT NULL DEFAULT ''::text, "comment_count" integer NOT NULL DEFAULT 0, "metadata_audience_id" uuid NOT NULL, "content_audience_id" uuid NOT NULL, CONSTRAINT "goal_contents_description_length" CHECK ((char_length(description) <= 5000)), CONSTRAINT "goal_contents_pkey" PRIMARY KEY (goal_id));

ALTER TABLE "nectar"."goal_contents" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."goal_pauses" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "goal_id" uuid NOT NULL, "user_id" uuid NOT NULL, "from_date" date NOT NULL, "until_date" date, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "goal_pauses_order" CHECK ((until_date > from_date)), CONSTRAINT "goal_pauses_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."goal_pauses" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."goals" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "title" text NOT NULL, "target_date" date, "weekdays" smallint[], "streak" integer NOT NULL DEFAULT 0, "longest_streak" integer NOT NULL DEFAULT 0, "streak_ends_on" date, "comments_enabled" boolean NOT NULL DEFAULT true, "team_id" uuid, "org_id" uuid, "hidden_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "goals_pkey" PRIMARY KEY (id), CONSTRAINT "goals_title_length" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200))), CONSTRAINT "goals_weekdays" CHECK (((cardinality(weekdays) >= 1) AND (cardinality(weekdays) <= 7) AND (weekdays <@ '{1,2,3,4,5,6,7}'::smallint[]))));

ALTER TABLE "nectar"."goals" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."invitations" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "org_id" uuid NOT NULL, "token_hash" bytea NOT NULL, "email" text, "team_ids" uuid[] NOT NULL, "max_uses" integer NOT NULL, "uses" integer NOT NULL DEFAULT 0, "expires_at" timestamp(3) with time zone NOT NULL, "revoked_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "invitations_email_length" CHECK (((char_length(email) >= 1) AND (char_length(email) <= 254))), CONSTRAINT "invitations_lifetime" CHECK ((expires_at <= (created_at + '720:00:00'::interval))), CONSTRAINT "invitations_max_uses_range" CHECK (((max_uses >= 1) AND (max_uses <=
CASE
    WHEN (email IS NULL) THEN 500
    ELSE 1
END))), CONSTRAINT "invitations_pkey" PRIMARY KEY (id), CONSTRAINT "invitations_team_ids_count" CHECK ((cardinality(team_ids) <= 20)), CONSTRAINT "invitations_token_hash_key" UNIQUE (token_hash), CONSTRAINT "invitations_token_hash_size" CHECK ((octet_length(token_hash) = 32)), CONSTRAINT "invitations_uses_range" CHECK (((uses >= 0) AND (uses <= max_uses))));

ALTER TABLE "nectar"."invitations" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."journal_entries" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "notebook_id" uuid, "title" text NOT NULL, "mood" text, "tags" text[] NOT NULL DEFAULT '{}'::text[], "ai_excluded" boolean NOT NULL DEFAULT false, "is_imported" boolean NOT NULL DEFAULT false, "comments_enabled" boolean NOT NULL DEFAULT true, "inherit_visibility" boolean NOT NULL DEFAULT true, "team_id" uuid, "org_id" uuid, "hidden_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "journal_entries_mood_length" CHECK (((char_length(mood) >= 1) AND (char_length(mood) <= 50))), CONSTRAINT "journal_entries_pkey" PRIMARY KEY (id), CONSTRAINT "journal_entries_tag_count" CHECK ((cardinality(tags) <= 20)), CONSTRAINT "journal_entries_title_length" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 255))));

ALTER TABLE "nectar"."journal_entries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."journal_entry_contents" ("entry_id" uuid NOT NULL, "content" text NOT NULL, "found_mood" text, "comment_count" integer NOT NULL DEFAULT 0, "picture_count" integer NOT NULL DEFAULT 0, CONSTRAINT "journal_entry_contents_found_mood_length" CHECK (((char_length(found_mood) >= 1) AND (char_length(found_mood) <= 50))), CONSTRAINT "journal_entry_contents_length" CHECK (((char_length(content) >= 1) AND (char_length(content) <= 100000))), CONSTRAINT "journal_entry_contents_picture_count" CHECK (((picture_count >= 0) AND (picture_count <= 20))), CONSTRAINT "journal_entry_contents_pkey" PRIMARY KEY (entry_id));

ALTER TABLE "nectar"."journal_entry_contents" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."journal_imports" ("id" uuid NOT NULL, "user_id" uuid NOT NULL, "size" integer NOT NULL, "path" text NOT NULL, "version" text, "dry_run" boolean NOT NULL DEFAULT false, "found" integer NOT NULL DEFAULT 0, "created" integer NOT NULL DEFAULT 0, "skipped" integer NOT NULL DEFAULT 0, "failed" integer NOT NULL DEFAULT 0, "problems" jsonb NOT NULL DEFAULT '[]'::jsonb, "is_checked" boolean NOT NULL DEFAULT false, "starts" integer NOT NULL DEFAULT 0, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "journal_imports_pkey" PRIMARY KEY (id), CONSTRAINT "journal_imports_problem_count" CHECK ((jsonb_array_length(problems) <= 100)), CONSTRAINT "journal_imports_size" CHECK (((size >= 1) AND (size <= 209715200))));

ALTER TABLE "nectar"."journal_imports" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."member_names" ("org_id" uuid NOT NULL, "user_id" uuid NOT NULL, "word_number" integer NOT NULL, "full_name" text NOT NULL, "search_text" text COLLATE pg_catalog."C" NOT NULL, CONSTRAINT "member_names_pkey" PRIMARY KEY (user_id, org_id, word_number));

ALTER TABLE "nectar"."member_names" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."moderation_appeals" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "decision_id" uuid NOT NULL, "owner_id" uuid NOT NULL, "reason" text NOT NULL, "answer" text, "decided_by" uuid, "created_at" timestamp(3) with time zone NOT NULL, "decided_at" timestamp(3) with time zone, CONSTRAINT "moderation_appeals_answer_length" CHECK (((char_length(answer) >= 10) AND (char_length(answer) <= 1000))), CONSTRAINT "moderation_appeals_once" UNIQUE (decision_id), CONSTRAINT "moderation_appeals_pkey" PRIMARY KEY (id), CONSTRAINT "moderation_appeals_reason_length" CHECK (((char_length(reason) >= 20) AND (char_length(reason) <= 1000))));

ALTER TABLE "nectar"."moderation_appeals" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."moderation_decisions" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "owner_id" uuid NOT NULL, "target_type" text NOT NULL, "target_id" uuid NOT NULL, "reason" text NOT NULL, "excerpt" text, "photo_key" text, "decided_by" uuid, "decided_at" timestamp(3) with time zone NOT NULL, "suspended_until" timestamp(3) with time zone, "reversed_at" timestamp(3) with time zone, CONSTRAINT "moderation_decisions_excerpt_length" CHECK (((char_length(excerpt) >= 1) AND (char_length(excerpt) <= 500))), CONSTRAINT "moderation_decisions_pkey" PRIMARY KEY (id), CONSTRAINT "moderation_decisions_reason_length" CHECK (((char_length(reason) >= 10) AND (char_length(reason) <= 1000))), CONSTRAINT "moderation_decisions_suspension_in_range" CHECK (((suspended_until > decided_at) AND ((suspended_until - decided_at) <= '365 days'::interval))));

ALTER TABLE "nectar"."moderation_decisions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."monthly_drop_awards" ("user_id" uuid NOT NULL, "month" date NOT NULL, "amount" integer NOT NULL, "transaction_id" uuid NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "monthly_drop_awards_amount_positive" CHECK ((amount > 0)), CONSTRAINT "monthly_drop_awards_month_is_first_day" CHECK ((EXTRACT(day FROM month) = (1)::numeric)), CONSTRAINT "monthly_drop_awards_pkey" PRIMARY KEY (user_id, month));

ALTER TABLE "nectar"."monthly_drop_awards" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."mosaic_sections" ("date" date NOT NULL, "position" integer NOT NULL, "user_id" uuid NOT NULL, CONSTRAINT "mosaic_sections_pkey" PRIMARY KEY (date, "position"), CONSTRAINT "mosaic_sections_position_not_negative" CHECK (("position" >= 0)));

ALTER TABLE "nectar"."mosaic_sections" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."mosaics" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "date" date NOT NULL, "image_key" text NOT NULL, "total_participants" integer NOT NULL, "completed_count" integer NOT NULL DEFAULT 0, "failed_count" integer NOT NULL DEFAULT 0, "pending_count" integer NOT NULL DEFAULT 0, "digest" text NOT NULL, "seen_at" timestamp with time zone NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "mosaics_counts_add_up" CHECK ((((completed_count + failed_count) + pending_count) = total_participants)), CONSTRAINT "mosaics_counts_not_negative" CHECK ((LEAST(completed_count, failed_count, pending_count) >= 0)), CONSTRAINT "mosaics_image_key_length" CHECK (((char_length(image_key) >= 1) AND (char_length(image_key) <= 200))), CONSTRAINT "mosaics_one_a_date" UNIQUE (date), CONSTRAINT "mosaics_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."mosaics" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."note_analyses" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "analysis_date" date NOT NULL, "summary" text NOT NULL, "mood_trends" jsonb NOT NULL, "topics" jsonb NOT NULL, "patterns" jsonb NOT NULL, "recommendations" text NOT NULL, "insights" jsonb NOT NULL, "entry_count" integer NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "note_analyses_entry_count_positive" CHECK ((entry_count > 0)), CONSTRAINT "note_analyses_insights_is_object" CHECK ((jsonb_typeof(insights) = 'object'::text)), CONSTRAINT "note_analyses_mood_trends_is_object" CHECK ((jsonb_typeof(mood_trends) = 'object'::text)), CONSTRAINT "note_analyses_one_a_day" UNIQUE (user_id, analysis_date), CONSTRAINT "note_analyses_patterns_is_array" CHECK ((jsonb_typeof(patterns) = 'array'::text)), CONSTRAINT "note_analyses_pkey" PRIMARY KEY (id), CONSTRAINT "note_analyses_recommendations_length" CHECK (((char_length(recommendations) >= 1) AND (char_length(recommendations) <= 1000))), CONSTRAINT "note_analyses_size" CHECK (((((octet_length((mood_trends)::text) + octet_length((topics)::text)) + octet_length((patterns)::text)) + octet_length((insights)::text)) <= 65536)), CONSTRAINT "note_analyses_summary_length" CHECK (((char_length(summary) >= 1) AND (char_length(summary) <= 1000))), CONSTRAINT "note_analyses_topics_is_array" CHECK ((jsonb_typeof(topics) = 'array'::text)));

ALTER TABLE "nectar"."note_analyses" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."note_analysis_sources" ("analysis_id" uuid NOT NULL, "user_id" uuid NOT NULL, "entry_id" uuid NOT NULL, CONSTRAINT "note_analysis_sources_pkey" PRIMARY KEY (analysis_id, entry_id));

ALTER TABLE "nectar"."note_analysis_sources" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."notebook_contents" ("notebook_id" uuid NOT NULL, "user_id" uuid NOT NULL, "template" text, "metadata_audience_id" uuid NOT NULL, "content_audience_id" uuid NOT NULL, CONSTRAINT "notebook_contents_pkey" PRIMARY KEY (notebook_id), CONSTRAINT "notebook_contents_template_length" CHECK (((char_length(template) >= 1) AND (char_length(template) <= 10000))));

ALTER TABLE "nectar"."notebook_contents" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."notebooks" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "name" text NOT NULL, "description" text, "team_id" uuid, "org_id" uuid, "ai_excluded_default" boolean NOT NULL DEFAULT false, "hidden_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "notebooks_description_length" CHECK ((char_length(description) <= 1000)), CONSTRAINT "notebooks_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))), CONSTRAINT "notebooks_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."notebooks" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."notification_settings" ("push" jsonb NOT NULL DEFAULT '{}'::jsonb, "quiet_start" time(0) without time zone, "quiet_end" time(0) without time zone, "reminder_time" time(0) without time zone, "reminder_weekdays" smallint[], "reminder_only_if_not_written" boolean, "reminder_due_at" timestamp(3) with time zone, "reminded_on" date, CONSTRAINT "notification_settings_push_is_object" CHECK ((jsonb_typeof(push) = 'object'::text)), CONSTRAINT "notification_settings_push_size" CHECK ((octet_length((push)::text) <= 2048)), CONSTRAINT "notification_settings_quiet_hours" CHECK ((((quiet_start IS NULL) = (quiet_end IS NULL)) AND (quiet_start <> quiet_end))), CONSTRAINT "notification_settings_reminder_is_complete" CHECK ((num_nonnulls(reminder_time, reminder_weekdays, reminder_only_if_not_written, reminder_due_at) = ANY (ARRAY[0, 4]))), CONSTRAINT "notification_settings_weekdays" CHECK (((cardinality(reminder_weekdays) >= 1) AND (cardinality(reminder_weekdays) <= 7) AND (reminder_weekdays <@ '{1,2,3,4,5,6,7}'::smallint[]))));

ALTER TABLE "nectar"."notification_settings" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."notifications" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "data" jsonb NOT NULL DEFAULT '{}'::jsonb, "caused_by" uuid, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "read_at" timestamp(3) with time zone, "room_id" uuid, CONSTRAINT "notifications_data_is_object" CHECK ((jsonb_typeof(data) = 'object'::text)), CONSTRAINT "notifications_data_size" CHECK ((octet_length((data)::text) <= 1024)), CONSTRAINT "notifications_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."notifications" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "nectar"."notifications" SET (fillfactor=80);

CREATE TABLE "nectar"."organization_members" ("org_id" uuid NOT NULL, "user_id" uuid NOT NULL, "joined_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "acted_at" timestamp(3) with time zone, CONSTRAINT "organization_members_pkey" PRIMARY KEY (org_id, user_id));

ALTER TABLE "nectar"."organization_members" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."organizations" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "name" text NOT NULL, "description" text, "settings" jsonb NOT NULL DEFAULT '{}'::jsonb, "received_at" timestamp(3) with time zone, "received_from" uuid, "is_used" boolean NOT NULL DEFAULT true, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "organizations_description_length" CHECK ((char_length(description) <= 1000)), CONSTRAINT "organizations_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))), CONSTRAINT "organizations_pkey" PRIMARY KEY (id), CONSTRAINT "organizations_settings_is_object" CHECK ((jsonb_typeof(settings) = 'object'::text)), CONSTRAINT "organizations_settings_size" CHECK ((octet_length((settings)::text) <= 1048576)));

ALTER TABLE "nectar"."organizations" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."personal_tokens" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "name" text NOT NULL, "token_hash" bytea NOT NULL, "hint" text NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "expires_at" timestamp(3) with time zone NOT NULL, "last_used_at" timestamp(3) with time zone, CONSTRAINT "personal_tokens_hint_size" CHECK ((char_length(hint) = 4)), CONSTRAINT "personal_tokens_lifetime" CHECK ((expires_at <= (created_at + '366 days'::interval))), CONSTRAINT "personal_tokens_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))), CONSTRAINT "personal_tokens_pkey" PRIMARY KEY (id), CONSTRAINT "personal_tokens_token_hash_key" UNIQUE (token_hash), CONSTRAINT "personal_tokens_token_hash_size" CHECK ((octet_length(token_hash) = 32)));

ALTER TABLE "nectar"."personal_tokens" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."profiles" ("id" uuid NOT NULL, "full_name" text, "avatar_url" text, "is_ai" boolean NOT NULL DEFAULT false, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "profiles_avatar_url_is_http" CHECK (((avatar_url ~ '^https?://'::text) AND (char_length(avatar_url) <= 2048))), CONSTRAINT "profiles_full_name_length" CHECK (((char_length(full_name) >= 1) AND (char_length(full_name) <= 100))), CONSTRAINT "profiles_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."profiles" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."push_subscriptions" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "endpoint" text NOT NULL, "p256dh" text NOT NULL, "auth" text NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "renewed_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "push_subscriptions_auth_shape" CHECK ((auth ~ '^[A-Za-z0-9_-]{22}$'::text)), CONSTRAINT "push_subscriptions_endpoint_once" UNIQUE (endpoint), CONSTRAINT "push_subscriptions_endpoint_size" CHECK (((octet_length(endpoint) >= 1) AND (octet_length(endpoint) <= 2048))), CONSTRAINT "push_subscriptions_p256dh_shape" CHECK ((p256dh ~ '^[A-Za-z0-9_-]{87}$'::text)), CONSTRAINT "push_subscriptions_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."push_subscriptions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."reports" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "reporter_id" uuid NOT NULL, "owner_id" uuid NOT NULL, "target_type" text NOT NULL, "target_id" uuid NOT NULL, "details" text, "excerpt" text, "status" text NOT NULL DEFAULT 'open'::text, "decision_id" uuid, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "decided_at" timestamp(3) with time zone, CONSTRAINT "reports_decided_has_decision" CHECK (((status <> 'open'::text) = (decision_id IS NOT NULL))), CONSTRAINT "reports_decided_has_time" CHECK (((status <> 'open'::text) = (decided_at IS NOT NULL))), CONSTRAINT "reports_details_length" CHECK (((char_length(details) >= 1) AND (char_length(details) <= 2000))), CONSTRAINT "reports_excerpt_length" CHECK (((char_length(excerpt) >= 1) AND (char_length(excerpt) <= 500))), CONSTRAINT "reports_not_about_oneself" CHECK ((reporter_id <> owner_id)), CONSTRAINT "reports_pkey" PRIMARY KEY (id), CONSTRAINT "reports_status_known" CHECK ((status = ANY (ARRAY['open'::text, 'dismissed'::text, 'actioned'::text]))), CONSTRAINT "reports_target_type_known" CHECK ((target_type = ANY (ARRAY['entry'::text, 'notebook'::text, 'goal'::text, 'tone_pack'::text, 'drop'::text, 'checkin'::text, 'message'::text, 'user'::text]))));

ALTER TABLE "nectar"."reports" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."squads" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "date" date NOT NULL, "user_1_id" uuid, "user_2_id" uuid, "user_3_id" uuid, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "squads_members_differ" CHECK (((user_1_id <> user_2_id) AND (user_1_id <> user_3_id) AND (user_2_id <> user_3_id))), CONSTRAINT "squads_once" UNIQUE (date, user_1_id, user_2_id, user_3_id), CONSTRAINT "squads_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."squads" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."subscriptions" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "payment_customer_id" text NOT NULL, "payment_subscription_id" text NOT NULL, "status" text NOT NULL, "event_created" timestamp(3) with time zone NOT NULL, "event_rank" smallint NOT NULL, "event_id" text COLLATE pg_catalog."C" NOT NULL, "invoice_created" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "subscriptions_once_per_payment_subscription" UNIQUE (payment_subscription_id), CONSTRAINT "subscriptions_pkey" PRIMARY KEY (id), CONSTRAINT "subscriptions_status_length" CHECK (((char_length(status) >= 1) AND (char_length(status) <= 50))));

ALTER TABLE "nectar"."subscriptions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."synthetic_users" ("user_id" uuid NOT NULL, "region" text NOT NULL, "city" text NOT NULL, "state" text NOT NULL, "timezone" text NOT NULL, "window_start" time without time zone NOT NULL, "window_end" time without time zone NOT NULL, "check_in_probability" numeric NOT NULL DEFAULT 0.85, "is_active" boolean NOT NULL DEFAULT true, "seed" text NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "synthetic_users_city_length" CHECK (((char_length(city) >= 1) AND (char_length(city) <= 100))), CONSTRAINT "synthetic_users_pkey" PRIMARY KEY (user_id), CONSTRAINT "synthetic_users_probability_in_range" CHECK (((check_in_probability >= (0)::numeric) AND (check_in_probability <= (1)::numeric))), CONSTRAINT "synthetic_users_region_length" CHECK (((char_length(region) >= 1) AND (char_length(region) <= 100))), CONSTRAINT "synthetic_users_seed_length" CHECK (((char_length(seed) >= 1) AND (char_length(seed) <= 100))), CONSTRAINT "synthetic_users_state_length" CHECK (((char_length(state) >= 1) AND (char_length(state) <= 50))), CONSTRAINT "synthetic_users_timezone_length" CHECK (((char_length(timezone) >= 1) AND (char_length(timezone) <= 50))));

ALTER TABLE "nectar"."synthetic_users" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."team_colors" ("user_id" uuid NOT NULL, "week_start_date" date NOT NULL);

ALTER TABLE "nectar"."team_colors" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."team_members" ("team_id" uuid NOT NULL, "org_id" uuid NOT NULL, "user_id" uuid NOT NULL, "joined_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "team_members_pkey" PRIMARY KEY (team_id, user_id));

ALTER TABLE "nectar"."team_members" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."team_messages" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "team_id" uuid, "squad_id" uuid, "entry_id" uuid, "goal_id" uuid, "content" text NOT NULL, "hidden_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "team_messages_content_length" CHECK (((char_length(content) >= 1) AND (char_length(content) <= 2000))), CONSTRAINT "team_messages_one_room" CHECK ((num_nonnulls(team_id, squad_id, entry_id, goal_id) = 1)), CONSTRAINT "team_messages_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."team_messages" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."teams" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "org_id" uuid NOT NULL, "name" text NOT NULL, "description" text, "settings" jsonb NOT NULL DEFAULT '{}'::jsonb, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "teams_description_length" CHECK ((char_length(description) <= 1000)), CONSTRAINT "teams_id_org_id_key" UNIQUE (id, org_id), CONSTRAINT "teams_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))), CONSTRAINT "teams_pkey" PRIMARY KEY (id), CONSTRAINT "teams_settings_is_object" CHECK ((jsonb_typeof(settings) = 'object'::text)), CONSTRAINT "teams_settings_size" CHECK ((octet_length((settings)::text) <= 1048576)));

ALTER TABLE "nectar"."teams" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."token_usage" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "model" text NOT NULL, "input_tokens" integer NOT NULL DEFAULT 0, "output_tokens" integer NOT NULL DEFAULT 0, "image_count" integer NOT NULL DEFAULT 0, "image_quality" text, "cost_usd" numeric(12,6) NOT NULL, "has_reply" boolean NOT NULL DEFAULT true, "reference_type" text, "reference_id" uuid, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "token_usage_cost_in_range" CHECK ((cost_usd <= (10)::numeric)), CONSTRAINT "token_usage_cost_not_negative" CHECK ((cost_usd >= (0)::numeric)), CONSTRAINT "token_usage_counts_in_range" CHECK (((input_tokens <= 2000000) AND (output_tokens <= 2000000) AND (image_count <= 20))), CONSTRAINT "token_usage_counts_not_negative" CHECK (((input_tokens >= 0) AND (output_tokens >= 0) AND (image_count >= 0))), CONSTRAINT "token_usage_image_quality_known" CHECK ((image_quality = ANY (ARRAY['standard'::text, 'hd'::text]))), CONSTRAINT "token_usage_images_have_quality" CHECK (((image_count > 0) = (image_quality IS NOT NULL))), CONSTRAINT "token_usage_model_length" CHECK (((char_length(model) >= 1) AND (char_length(model) <= 200))), CONSTRAINT "token_usage_pkey" PRIMARY KEY (id), CONSTRAINT "token_usage_reference_is_whole" CHECK (((reference_type IS NULL) = (reference_id IS NULL))), CONSTRAINT "token_usage_reference_type_length" CHECK (((char_length(reference_type) >= 1) AND (char_length(reference_type) <= 50))));

ALTER TABLE "nectar"."token_usage" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."tone_pack_images" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "pack_id" uuid NOT NULL, "tone" text NOT NULL, "file_path" text NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "tone_pack_images_file_path_length" CHECK (((char_length(file_path) >= 1) AND (char_length(file_path) <= 1024))), CONSTRAINT "tone_pack_images_one_for_a_tone" UNIQUE (pack_id, tone), CONSTRAINT "tone_pack_images_pkey" PRIMARY KEY (id), CONSTRAINT "tone_pack_images_tone_form" CHECK ((tone ~ '^[a-z][a-z -]{0,29}$'::text)));

ALTER TABLE "nectar"."tone_pack_images" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."tone_pack_purchases" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "pack_id" uuid NOT NULL, "user_id" uuid NOT NULL, "price_drops" integer NOT NULL, "transaction_id" uuid NOT NULL, "refunded_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "tone_pack_purchases_pkey" PRIMARY KEY (id), CONSTRAINT "tone_pack_purchases_price_not_negative" CHECK ((price_drops >= 0)), CONSTRAINT "tone_pack_purchases_transaction_id_key" UNIQUE (transaction_id));

ALTER TABLE "nectar"."tone_pack_purchases" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."tone_pack_shares" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "pack_id" uuid NOT NULL, "user_id" uuid NOT NULL, "by_address" boolean NOT NULL DEFAULT false, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "tone_pack_shares_once" UNIQUE (pack_id, user_id, by_address), CONSTRAINT "tone_pack_shares_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."tone_pack_shares" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."tone_packs" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "name" text NOT NULL, "description" text, "is_public" boolean NOT NULL DEFAULT false, "price_drops" integer NOT NULL DEFAULT 0, "deleted_at" timestamp(3) with time zone, "hidden_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "tone_packs_deleted_is_not_public" CHECK (((deleted_at IS NULL) OR (NOT is_public))), CONSTRAINT "tone_packs_description_length" CHECK ((char_length(description) <= 1000)), CONSTRAINT "tone_packs_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))), CONSTRAINT "tone_packs_pkey" PRIMARY KEY (id), CONSTRAINT "tone_packs_price_in_range" CHECK (((price_drops >= 0) AND (price_drops <= 100000))));

ALTER TABLE "nectar"."tone_packs" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."trashed_entries" ("id" uuid NOT NULL, "user_id" uuid NOT NULL, "notebook_id" uuid, "title" text NOT NULL, "content" text, "mood" text, "found_mood" text, "tags" text[] NOT NULL, "entry_date" date NOT NULL, "ai_excluded" boolean NOT NULL, "is_imported" boolean NOT NULL DEFAULT false, "comments_enabled" boolean NOT NULL DEFAULT true, "inherit_visibility" boolean NOT NULL, "team_id" uuid, "org_id" uuid, "drop_ids" uuid[] NOT NULL, "background_id" uuid, "background_quality" text, "background_created_at" timestamp(3) with time zone, "background_file" text, "created_at" timestamp(3) with time zone NOT NULL, "updated_at" timestamp(3) with time zone NOT NULL, "deleted_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "trashed_entries_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."trashed_entries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."user_badges" ("user_id" uuid NOT NULL, "is_ai" boolean NOT NULL DEFAULT false, "is_hidden" boolean NOT NULL DEFAULT false, "level" smallint NOT NULL DEFAULT 1, "total_drops_sent" integer NOT NULL DEFAULT 0, "engagement_increases" integer NOT NULL DEFAULT 0, "bonus_drops_earned" integer NOT NULL DEFAULT 0, "run_days" integer NOT NULL DEFAULT 0, "last_sent_on" date, CONSTRAINT "user_badges_engaged_were_sent" CHECK ((engagement_increases <= total_drops_sent)), CONSTRAINT "user_badges_level_in_range" CHECK (((level >= 1) AND (level <= 7))), CONSTRAINT "user_badges_not_negative" CHECK ((LEAST(engagement_increases, bonus_drops_earned, run_days) >= 0)), CONSTRAINT "user_badges_pkey" PRIMARY KEY (user_id), CONSTRAINT "user_badges_run_has_end" CHECK (((run_days = 0) = (last_sent_on IS NULL))));

ALTER TABLE "nectar"."user_badges" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."user_locations" ("ip_address" inet, "latitude" numeric(10,8), "longitude" numeric(11,8), "city" text, "region" text, "country" text, "timezone" text, "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "user_locations_are_on_earth" CHECK (((latitude >= ('-90'::integer)::numeric) AND (latitude <= (90)::numeric) AND ((longitude >= ('-180'::integer)::numeric) AND (longitude <= (180)::numeric)))), CONSTRAINT "user_locations_city_length" CHECK (((char_length(city) >= 1) AND (char_length(city) <= 100))), CONSTRAINT "user_locations_country_is_a_code" CHECK ((country ~ '^[A-Z]{2}$'::text)), CONSTRAINT "user_locations_have_both_coordinates" CHECK (((latitude IS NULL) = (longitude IS NULL))), CONSTRAINT "user_locations_ip_address_is_of_a_host" CHECK ((masklen(ip_address) =
CASE family(ip_address)
    WHEN 4 THEN 32
    ELSE 128
END)), CONSTRAINT "user_locations_region_length" CHECK (((char_length(region) >= 1) AND (char_length(region) <= 100))), CONSTRAINT "user_locations_timezone_length" CHECK (((char_length(timezone) >= 1) AND (char_length(timezone) <= 50))));

ALTER TABLE "nectar"."user_locations" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."user_roles" ("user_id" uuid NOT NULL, "granted_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "user_roles_pkey" PRIMARY KEY (user_id));

ALTER TABLE "nectar"."user_roles" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."weekly_workout_stats" ("week_start_date" date NOT NULL, "user_id" uuid NOT NULL, "days_planned" integer NOT NULL, "completed_count" integer NOT NULL, "failed_count" integer NOT NULL, "pending_count" integer NOT NULL, "chips_earned" integer NOT NULL, "is_over" boolean NOT NULL DEFAULT false, "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "weekly_workout_stats_add_up" CHECK ((((completed_count + failed_count) + pending_count) = days_planned)), CONSTRAINT "weekly_workout_stats_at_most_a_week" CHECK (((days_planned >= 0) AND (days_planned <= 7))), CONSTRAINT "weekly_workout_stats_not_negative" CHECK ((LEAST(completed_count, failed_count, pending_count, chips_earned) >= 0)), CONSTRAINT "weekly_workout_stats_pkey" PRIMARY KEY (week_start_date, user_id));

ALTER TABLE "nectar"."weekly_workout_stats" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."wellness_entries" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "rating" smallint, "content" text, "hours" numeric(4,2), "quality" smallint, "notes" text, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "wellness_entries_pkey" PRIMARY KEY (id));

ALTER TABLE "nectar"."wellness_entries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."workout_checkin_photos" ("checkin_id" uuid NOT NULL, "user_id" uuid NOT NULL, "file_id" uuid NOT NULL, "perceptual_hash" bit(64) NOT NULL, "location_lat" numeric(10,8), "location_lng" numeric(11,8), "flags" text[] NOT NULL DEFAULT '{}'::text[], "taken_offset" text, "hidden_at" timestamp(3) with time zone, CONSTRAINT "workout_checkin_photos_lat_range" CHECK (((location_lat >= ('-90'::integer)::numeric) AND (location_lat <= (90)::numeric))), CONSTRAINT "workout_checkin_photos_lng_range" CHECK (((location_lng >= ('-180'::integer)::numeric) AND (location_lng <= (180)::numeric))), CONSTRAINT "workout_checkin_photos_offset_shape" CHECK ((taken_offset ~ '^[+-][0-9]{2}:[0-9]{2}$'::text)), CONSTRAINT "workout_checkin_photos_one_per_file" UNIQUE (file_id), CONSTRAINT "workout_checkin_photos_pkey" PRIMARY KEY (checkin_id), CONSTRAINT "workout_checkin_photos_whole_location" CHECK (((location_lat IS NULL) = (location_lng IS NULL))));

ALTER TABLE "nectar"."workout_checkin_photos" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "nectar"."workout_checkins" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "chain_id" uuid, "date" date NOT NULL, "photo_timestamp" timestamp(3) with time zone, "is_early" boolean NOT NULL DEFAULT false, "has_streak" boolean NOT NULL DEFAULT false, "battle_week_start" date NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "verified_at" timestamp(3) with time zone, "is_counted" boolean NOT NULL DEFAULT false, "reviewed_at" timestamp(3) with time zone, "reviewed_by" uuid, "review_reason" text, CONSTRAINT "workout_checkins_pkey" PRIMARY KEY (id), CONSTRAINT "workout_checkins_reason_length" CHECK (((char_length(review_reason) >= 1) AND (char_length(review_reason) <= 1000))));

ALTER TABLE "nectar"."workout_checkins" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "nectar"."workout_checkins" SET (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=5000);

CREATE TABLE "nectar"."workout_windows" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "custom_activity" text, "window_start_time" time(0) without time zone NOT NULL, "window_end_time" time(0) without time zone NOT NULL, "timezone" text NOT NULL, "away" datemultirange NOT NULL DEFAULT '{}'::datemultirange, "rest_days" jsonb NOT NULL DEFAULT '[]'::jsonb, "effective_from" date NOT NULL, "previous_custom_activity" text, "previous_window_start_time" time(0) without time zone, "previous_window_end_time" time(0) without time zone, "previous_timezone" text, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "updated_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "workout_windows_are_of_whole_minutes" CHECK (((EXTRACT(second FROM window_start_time) = (0)::numeric) AND (EXTRACT(second FROM previous_window_start_time) = (0)::numeric))), CONSTRAINT "workout_windows_custom_activity_length" CHECK (((char_length(custom_activity) >= 1) AND (char_length(custom_activity) <= 100) AND ((char_length(previous_custom_activity) >= 1) AND (char_length(previous_custom_activity) <= 100)))), CONSTRAINT "workout_windows_last_two_hours" CHECK ((((window_start_time + '02:00:00'::interval) = window_end_time) AND ((previous_window_start_time + '02:00:00'::interval) = previous_window_end_time))), CONSTRAINT "workout_windows_pkey" PRIMARY KEY (id), CONSTRAINT "workout_windows_rest_on_two_weekdays" CHECK (((jsonb_typeof(rest_days) = 'array'::text) AND (NOT (rest_days @? '$[*]?(!(exists (@."from") && @."weekdays".size() <= 2))'::jsonpath)) AND (NOT (rest_days @? '$[*]."weekdays"[*]?(@ < 1 || @ > 7)'::jsonpath)))), CONSTRAINT "workout_windows_timezone_length" CHECK (((char_length(timezone) >= 1) AND (char_length(timezone) <= 50) AND ((char_length(previous_timezone) >= 1) AND (char_length(previous_timezone) <= 50)))));

ALTER TABLE "nectar"."workout_windows" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."assistant_turns" ("user_id" uuid NOT NULL, "day" date NOT NULL, "attempts" smallint NOT NULL, "claim" uuid, "claimed_until" timestamp(3) with time zone, "finished_at" timestamp(3) with time zone, "analyses" smallint NOT NULL DEFAULT 0, "notes_since" timestamp(3) with time zone, "notes_version" numeric, "notes_fingerprint" bytea, CONSTRAINT "assistant_turns_attempts_not_negative" CHECK ((attempts >= 0)), CONSTRAINT "assistant_turns_claim_runs_out" CHECK (((claim IS NULL) OR (claimed_until IS NOT NULL))));

ALTER TABLE "private"."assistant_turns" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."battle_announcements" ("week_start_date" date NOT NULL, "notified_up_to" uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid, CONSTRAINT "battle_announcements_pkey" PRIMARY KEY (week_start_date));

ALTER TABLE "private"."battle_announcements" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."email_events" ("id" text NOT NULL, "is_verified" boolean NOT NULL, "type" text NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "email_events_id_length" CHECK (((char_length(id) >= 1) AND (char_length(id) <= 255))), CONSTRAINT "email_events_pkey" PRIMARY KEY (id, is_verified), CONSTRAINT "email_events_type_length" CHECK (((char_length(type) >= 1) AND (char_length(type) <= 100))));

ALTER TABLE "private"."email_events" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."email_messages" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "user_id" uuid NOT NULL, "recipient" text NOT NULL, "erased_hash" bytea, "subject" text NOT NULL, "request" text, "provider_id" text, "delivery_is_verified" boolean NOT NULL DEFAULT false, "delivery_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL, "updated_at" timestamp(3) with time zone NOT NULL, CONSTRAINT "email_messages_pkey" PRIMARY KEY (id), CONSTRAINT "email_messages_provider_id_length" CHECK (((char_length(provider_id) >= 1) AND (char_length(provider_id) <= 255))), CONSTRAINT "email_messages_recipient_length" CHECK (((char_length(recipient) >= 1) AND (char_length(recipient) <= 254))), CONSTRAINT "email_messages_request_size" CHECK (((octet_length(request) >= 1) AND (octet_length(request) <= 64))), CONSTRAINT "email_messages_subject_length" CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 255))));

ALTER TABLE "private"."email_messages" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."email_policy" ("is_only" boolean NOT NULL DEFAULT true, "recipient_policy" text NOT NULL DEFAULT 'any'::text, CONSTRAINT "email_policy_is_one_row" CHECK (is_only), CONSTRAINT "email_policy_known" CHECK ((recipient_policy = ANY (ARRAY['any'::text, 'members'::text, 'self'::text]))), CONSTRAINT "email_policy_pkey" PRIMARY KEY (is_only));

ALTER TABLE "private"."email_policy" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."email_received" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "event_id" text NOT NULL, "is_verified" boolean NOT NULL, "provider_id" text, "sender" text NOT NULL, "recipients" text[] NOT NULL, "subject" text NOT NULL, "body_text" text, "body_html" text, "content_due_at" timestamp(3) with time zone, "content_attempts" smallint NOT NULL DEFAULT 0, "content_fetched_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "email_received_body_html_length" CHECK ((char_length(body_html) <= 262144)), CONSTRAINT "email_received_body_text_length" CHECK ((char_length(body_text) <= 262144)), CONSTRAINT "email_received_content_attempts_positive" CHECK ((content_attempts >= 0)), CONSTRAINT "email_received_due_has_provider_id" CHECK (((content_due_at IS NULL) OR (provider_id IS NOT NULL))), CONSTRAINT "email_received_fetched_is_not_due" CHECK (((content_due_at IS NULL) OR (content_fetched_at IS NULL))), CONSTRAINT "email_received_once_per_event" UNIQUE (event_id, is_verified), CONSTRAINT "email_received_pkey" PRIMARY KEY (id), CONSTRAINT "email_received_provider_id_length" CHECK ((char_length(provider_id) <= 255)), CONSTRAINT "email_received_recipients_count" CHECK ((cardinality(recipients) <= 50)), CONSTRAINT "email_received_recipients_size" CHECK ((octet_length((recipients)::text) <= 262144)), CONSTRAINT "email_received_sender_length" CHECK ((char_length(sender) <= 1000)), CONSTRAINT "email_received_subject_length" CHECK ((char_length(subject) <= 1000)));

ALTER TABLE "private"."email_received" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."email_suppressions" ("address_hash" bytea NOT NULL, "reason" text NOT NULL, "event_id" text, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "email_suppressions_address_hash_size" CHECK ((octet_length(address_hash) = 32)), CONSTRAINT "email_suppressions_event_is_named" CHECK (((event_id IS NULL) = (reason = 'unsubscribed'::text))), CONSTRAINT "email_suppressions_pkey" PRIMARY KEY (address_hash), CONSTRAINT "email_suppressions_reason_known" CHECK ((reason = ANY (ARRAY['bounced'::text, 'complained'::text, 'suppressed'::text, 'unsubscribed'::text]))));

ALTER TABLE "private"."email_suppressions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."erased_totals" ("id" boolean NOT NULL DEFAULT true, "issued" bigint NOT NULL DEFAULT 0, "spent" bigint NOT NULL DEFAULT 0, "refunded" bigint NOT NULL DEFAULT 0, "adjusted" bigint NOT NULL DEFAULT 0, "balance" bigint NOT NULL DEFAULT 0, CONSTRAINT "erased_totals_is_one_row" CHECK (id), CONSTRAINT "erased_totals_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."erased_totals" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."erasure_receipts" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "address" text NOT NULL, "erased_at" timestamp(3) with time zone NOT NULL, "first_tried_at" timestamp(3) with time zone, "claimed_until" timestamp(3) with time zone, CONSTRAINT "erasure_receipts_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."erasure_receipts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."game_notices" ("user_id" uuid NOT NULL, "date" date NOT NULL, "window_starts_at" timestamp(3) with time zone, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now());

ALTER TABLE "private"."game_notices" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."idempotency_keys" ("route" text NOT NULL, "key" text NOT NULL, "body_hash" text NOT NULL, "status" smallint, "body" text, "resource_id" uuid, "is_final" boolean NOT NULL DEFAULT true, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "idempotency_keys_final_has_response" CHECK (((NOT is_final) OR ((status IS NOT NULL) AND (body IS NOT NULL)))), CONSTRAINT "idempotency_keys_key_length" CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255))));

ALTER TABLE "private"."idempotency_keys" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."imported_entries" ("user_id" uuid NOT NULL, "external_id" bytea NOT NULL, CONSTRAINT "imported_entries_external_id" CHECK ((octet_length(external_id) = 32)));

ALTER TABLE "private"."imported_entries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."job_runs" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "job" text NOT NULL, "key" text NOT NULL, "due_at" timestamp(3) with time zone, "started_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "finished_at" timestamp(3) with time zone, "succeeded" boolean, "results" jsonb, CONSTRAINT "job_runs_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."job_runs" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."jobs" ("name" text NOT NULL, "known_since" timestamp(3) with time zone NOT NULL, CONSTRAINT "jobs_pkey" PRIMARY KEY (name));

ALTER TABLE "private"."jobs" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."kept_suspensions" ("address_hash" bytea NOT NULL, "expires_at" timestamp(3) with time zone NOT NULL, CONSTRAINT "kept_suspensions_pkey" PRIMARY KEY (address_hash));

ALTER TABLE "private"."kept_suspensions" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."leaderboard_checkpoints" ("leaderboard_key" numeric(26,0) NOT NULL, "user_id" uuid NOT NULL, "people_ahead" bigint NOT NULL, "counted_at" timestamp(3) with time zone NOT NULL, CONSTRAINT "leaderboard_checkpoints_pkey" PRIMARY KEY (leaderboard_key, user_id));

ALTER TABLE "private"."leaderboard_checkpoints" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."leases" ("name" text NOT NULL, "key" text NOT NULL, "holder" uuid NOT NULL DEFAULT gen_random_uuid(), "expires_at" timestamp(3) with time zone NOT NULL, CONSTRAINT "leases_pkey" PRIMARY KEY (name, key));

ALTER TABLE "private"."leases" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."logged_reads" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "entry_id" uuid, "goal_id" uuid, "user_id" uuid NOT NULL, "reader_id" uuid NOT NULL, "date" date NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "logged_reads_one_thing" CHECK ((num_nonnulls(entry_id, goal_id) = 1)), CONSTRAINT "logged_reads_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."logged_reads" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."open_days" ("day_ends_at" timestamp(3) with time zone NOT NULL, "user_id" uuid NOT NULL, "chain_id" uuid NOT NULL, CONSTRAINT "open_days_pkey" PRIMARY KEY (day_ends_at, user_id, chain_id));

ALTER TABLE "private"."open_days" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."payment_events" ("id" text NOT NULL, "type" text NOT NULL, "created" timestamp(3) with time zone NOT NULL, CONSTRAINT "payment_events_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."payment_events" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."player_areas" ("user_id" uuid NOT NULL, "area_key" text NOT NULL, CONSTRAINT "player_areas_pkey" PRIMARY KEY (user_id));

ALTER TABLE "private"."player_areas" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."players_to_match" ("id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "user_id" uuid NOT NULL, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "players_to_match_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."players_to_match" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."push_deliveries" ("notification_id" uuid NOT NULL, "subscription_id" uuid NOT NULL, "attempts" integer NOT NULL DEFAULT 0, "next_attempt_at" timestamp(3) with time zone NOT NULL DEFAULT now(), "waited_until" timestamp(3) with time zone, "finished_at" timestamp(3) with time zone, "outcome" text, "created_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "push_deliveries_attempts_not_negative" CHECK ((attempts >= 0)), CONSTRAINT "push_deliveries_finished_has_outcome" CHECK (((finished_at IS NULL) = (outcome IS NULL))), CONSTRAINT "push_deliveries_outcome" CHECK ((outcome = ANY (ARRAY['sent'::text, 'refused'::text, 'given_up'::text, 'expired'::text, 'read'::text, 'silenced'::text, 'moved'::text]))), CONSTRAINT "push_deliveries_pkey" PRIMARY KEY (notification_id, subscription_id));

ALTER TABLE "private"."push_deliveries" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."quota_uses" ("user_id" uuid NOT NULL, "name" text NOT NULL, "period_start" timestamp(3) with time zone NOT NULL, "used" integer NOT NULL, CONSTRAINT "quota_uses_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50))), CONSTRAINT "quota_uses_pkey" PRIMARY KEY (user_id, name), CONSTRAINT "quota_uses_used_positive" CHECK ((used > 0)));

ALTER TABLE "private"."quota_uses" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."stored_files_to_remove" ("store" text NOT NULL, "path" text NOT NULL, "remove_after" timestamp(3) with time zone NOT NULL, CONSTRAINT "stored_files_to_remove_path_length" CHECK (((char_length(path) >= 1) AND (char_length(path) <= 1024))), CONSTRAINT "stored_files_to_remove_pkey" PRIMARY KEY (store, path), CONSTRAINT "stored_files_to_remove_store" CHECK ((store = ANY (ARRAY['private'::text, 'tone-packs'::text]))));

ALTER TABLE "private"."stored_files_to_remove" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."subscriptions_to_cancel" ("payment_subscription_id" text NOT NULL, CONSTRAINT "subscriptions_to_cancel_pkey" PRIMARY KEY (payment_subscription_id));

ALTER TABLE "private"."subscriptions_to_cancel" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."unsettled_shares" ("id" uuid NOT NULL DEFAULT gen_random_uuid(), "notebook_id" uuid, "group_id" uuid, "user_id" uuid, "withdrawn_from" uuid[] NOT NULL DEFAULT '{}'::uuid[], "after_time" timestamp(3) with time zone NOT NULL DEFAULT 'infinity'::timestamp with time zone, "after_id" uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid, "settled_at" timestamp(3) with time zone NOT NULL DEFAULT now(), CONSTRAINT "unsettled_shares_one_source" CHECK ((num_nonnulls(notebook_id, group_id) = 1)), CONSTRAINT "unsettled_shares_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."unsettled_shares" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "nectar"."battles" ADD COLUMN "week_end_date" date GENERATED ALWAYS AS ((week_start_date + 6)) STORED NOT NULL;

ALTER TABLE "nectar"."team_messages" ADD COLUMN "room_id" uuid GENERATED ALWAYS AS (COALESCE(team_id, squad_id, entry_id, goal_id)) STORED NOT NULL;

ALTER TABLE "nectar"."user_badges" ADD COLUMN "success_rate" numeric(5,2) GENERATED ALWAYS AS (
CASE
    WHEN (total_drops_sent = 0) THEN (0)::numeric
    ELSE round((((engagement_increases)::numeric * 100.0) / (total_drops_sent)::numeric), 2)
END) STORED NOT NULL;

ALTER TABLE "nectar"."user_badges" ADD COLUMN "is_listed" boolean GENERATED ALWAYS AS (((NOT is_ai) AND (NOT is_hidden) AND (total_drops_sent > 0))) STORED NOT NULL;

ALTER TABLE "nectar"."user_badges" ADD COLUMN "leaderboard_key" numeric(26,0) GENERATED ALWAYS AS ((((((- engagement_increases))::numeric * ('1000000000000000'::bigint)::numeric) - (
CASE
    WHEN (total_drops_sent = 0) THEN (0)::numeric
    ELSE round((((engagement_increases)::numeric * 100.0) / (total_drops_sent)::numeric), 2)
END * ('1000000000000'::bigint)::numeric)) - (total_drops_sent)::numeric)) STORED NOT NULL;

ALTER TABLE "nectar"."weekly_workout_stats" ADD COLUMN "completion_rate" numeric(4,1) GENERATED ALWAYS AS (
CASE
    WHEN (days_planned = 0) THEN (0)::numeric
    ELSE round(((100.0 * (completed_count)::numeric) / (days_planned)::numeric), 1)
END) STORED NOT NULL;

ALTER TABLE "nectar"."workout_checkin_photos" ADD COLUMN "photo_key" text GENERATED ALWAYS AS ((((('checkins/'::text || (user_id)::text) || '/'::text) || (file_id)::text) || '.jpg'::text)) STORED NOT NULL;

CREATE TYPE "nectar"."activity_type" AS ENUM ('cardio', 'strength', 'walk', 'meditation', 'reading', 'homework', 'other');

ALTER TABLE "nectar"."chains" ADD COLUMN "activity_type" nectar.activity_type NOT NULL;

ALTER TABLE "nectar"."synthetic_users" ADD COLUMN "activity_type" nectar.activity_type NOT NULL;

ALTER TABLE "nectar"."workout_checkins" ADD COLUMN "activity_type" nectar.activity_type NOT NULL;

ALTER TABLE "nectar"."workout_windows" ADD COLUMN "activity_type" nectar.activity_type NOT NULL;

ALTER TABLE "nectar"."workout_windows" ADD COLUMN "previous_activity_type" nectar.activity_type;

CREATE TYPE "nectar"."appeal_status" AS ENUM ('open', 'upheld', 'reversed');

ALTER TABLE "nectar"."moderation_appeals" ADD COLUMN "status" nectar.appeal_status NOT NULL DEFAULT 'open'::nectar.appeal_status;

CREATE TYPE "nectar"."assistant_job" AS ENUM ('note_analysis', 'daily_drop');

ALTER TABLE "private"."assistant_turns" ADD COLUMN "job" nectar.assistant_job NOT NULL;

CREATE TYPE "nectar"."audit_target" AS ENUM ('account', 'appeal', 'battle', 'checkin', 'conversion_rate', 'drop_config', 'drop_template', 'drop_transaction', 'job', 'message', 'mosaic', 'report', 'synthetic_user', 'user');

ALTER TABLE "nectar"."audit_events" ADD COLUMN "target_type" nectar.audit_target NOT NULL;

CREATE TYPE "nectar"."battle_status" AS ENUM ('pending', 'in_progress', 'completed');

ALTER TABLE "nectar"."battles" ADD COLUMN "battle_status" nectar.battle_status NOT NULL DEFAULT 'pending'::nectar.battle_status;

CREATE TYPE "nectar"."battle_winner" AS ENUM ('red', 'blue', 'tie');

ALTER TABLE "nectar"."battles" ADD COLUMN "winner" nectar.battle_winner;

CREATE TYPE "nectar"."chain_status" AS ENUM ('continued', 'broken');

ALTER TABLE "nectar"."workout_checkins" ADD COLUMN "chain_status" nectar.chain_status NOT NULL;

CREATE TYPE "nectar"."checkin_status" AS ENUM ('pending', 'verified', 'rejected');

ALTER TABLE "nectar"."workout_checkins" ADD COLUMN "status" nectar.checkin_status NOT NULL DEFAULT 'pending'::nectar.checkin_status;

CREATE TYPE "nectar"."day_state" AS ENUM ('not_started', 'pending', 'completed', 'failed');

CREATE TYPE "nectar"."drop_transaction_type" AS ENUM ('signup_bonus', 'monthly_recurring', 'purchase', 'refund', 'admin_adjustment');

ALTER TABLE "nectar"."drop_transactions" ADD COLUMN "type" nectar.drop_transaction_type NOT NULL;

CREATE TYPE "nectar"."email_delivery" AS ENUM ('sent', 'delivery_delayed', 'failed', 'suppressed', 'delivered', 'bounced', 'complained');

ALTER TABLE "private"."email_messages" ADD COLUMN "delivery" nectar.email_delivery;

CREATE TYPE "nectar"."email_state" AS ENUM ('pending', 'sent', 'failed', 'suppressed');

ALTER TABLE "private"."email_messages" ADD COLUMN "state" nectar.email_state NOT NULL;

CREATE TYPE "nectar"."encouragement_drop_type" AS ENUM ('encouragement', 'media', 'science_tidbit');

ALTER TABLE "nectar"."drop_templates" ADD COLUMN "type" nectar.encouragement_drop_type NOT NULL;

ALTER TABLE "nectar"."encouragement_drops" ADD COLUMN "drop_type" nectar.encouragement_drop_type NOT NULL DEFAULT 'encouragement'::nectar.encouragement_drop_type;

CREATE TYPE "nectar"."engagement_state" AS ENUM ('open', 'engaged', 'expired', 'never');

ALTER TABLE "nectar"."encouragement_drops" ADD COLUMN "engagement" nectar.engagement_state NOT NULL DEFAULT 'open'::nectar.engagement_state;

CREATE TYPE "nectar"."export_status" AS ENUM ('pending', 'ready', 'failed', 'expired');

ALTER TABLE "nectar"."exports" ADD COLUMN "status" nectar.export_status NOT NULL DEFAULT 'pending'::nectar.export_status;

CREATE TYPE "nectar"."goal_check_in_status" AS ENUM ('completed', 'partial', 'missed', 'skipped');

ALTER TABLE "nectar"."goal_check_ins" ADD COLUMN "status" nectar.goal_check_in_status NOT NULL;

CREATE TYPE "nectar"."goal_status" AS ENUM ('active', 'paused', 'completed', 'abandoned');

ALTER TABLE "nectar"."goals" ADD COLUMN "status" nectar.goal_status NOT NULL DEFAULT 'active'::nectar.goal_status;

CREATE TYPE "nectar"."import_source" AS ENUM ('nectar', 'day_one', 'markdown');

ALTER TABLE "nectar"."journal_imports" ADD COLUMN "source" nectar.import_source NOT NULL;

ALTER TABLE "private"."imported_entries" ADD COLUMN "source" nectar.import_source NOT NULL;

CREATE TYPE "nectar"."import_status" AS ENUM ('waiting', 'running', 'done', 'failed');

ALTER TABLE "nectar"."journal_imports" ADD COLUMN "status" nectar.import_status NOT NULL DEFAULT 'waiting'::nectar.import_status;

CREATE TYPE "nectar"."invitation_email_status" AS ENUM ('sent', 'suppressed', 'not_sent');

ALTER TABLE "nectar"."invitations" ADD COLUMN "email_status" nectar.invitation_email_status;

CREATE TYPE "nectar"."media_type" AS ENUM ('youtube', 'vimeo', 'spotify', 'soundcloud');

ALTER TABLE "nectar"."drop_templates" ADD COLUMN "media_type" nectar.media_type;

ALTER TABLE "nectar"."encouragement_drops" ADD COLUMN "media_type" nectar.media_type;

CREATE TYPE "nectar"."member_role" AS ENUM ('admin', 'member');

ALTER TABLE "nectar"."invitations" ADD COLUMN "role" nectar.member_role NOT NULL;

ALTER TABLE "nectar"."organization_members" ADD COLUMN "role" nectar.member_role NOT NULL DEFAULT 'member'::nectar.member_role;

ALTER TABLE "nectar"."team_members" ADD COLUMN "role" nectar.member_role NOT NULL DEFAULT 'member'::nectar.member_role;

CREATE TYPE "nectar"."moderation_decision" AS ENUM ('suspend', 'hide', 'warn', 'dismiss', 'reject');

ALTER TABLE "nectar"."moderation_decisions" ADD COLUMN "decision" nectar.moderation_decision NOT NULL;

CREATE TYPE "nectar"."moderation_state" AS ENUM ('hidden');

CREATE TYPE "nectar"."mood_source" AS ENUM ('user', 'ai');

CREATE TYPE "nectar"."mosaic_status" AS ENUM ('completed', 'failed', 'pending');

ALTER TABLE "nectar"."mosaic_sections" ADD COLUMN "status" nectar.mosaic_status NOT NULL;

CREATE TYPE "nectar"."notification_type" AS ENUM ('baton_pass', 'checkin_reminder', 'checkin_reviewed', 'chain_broken', 'chain_restored', 'chain_update', 'battle_update', 'battle_progress', 'battle_results', 'weekly_stats', 'drop_received', 'badge_earned', 'assistant_drop', 'member_added', 'invitation', 'moderation', 'export_ready', 'journal_reminder', 'team_message', 'organization_received', 'goal_update', 'comment', 'token_created');

ALTER TABLE "nectar"."notifications" ADD COLUMN "type" nectar.notification_type NOT NULL;

ALTER TABLE "private"."game_notices" ADD COLUMN "kind" nectar.notification_type NOT NULL;

CREATE TYPE "nectar"."photo_flag" AS ENUM ('seen_before', 'edited', 'screenshot', 'late_upload', 'far_away', 'no_photo_time');

CREATE TYPE "nectar"."report_reason" AS ENUM ('harassment', 'hate', 'sexual', 'violence', 'self_harm', 'spam', 'impersonation', 'illegal', 'other');

ALTER TABLE "nectar"."reports" ADD COLUMN "reason" nectar.report_reason NOT NULL;

CREATE TYPE "nectar"."team_color" AS ENUM ('red', 'blue');

ALTER TABLE "nectar"."chains" ADD COLUMN "team_color" nectar.team_color NOT NULL;

ALTER TABLE "nectar"."mosaic_sections" ADD COLUMN "team_color" nectar.team_color NOT NULL;

ALTER TABLE "nectar"."squads" ADD COLUMN "team_color" nectar.team_color NOT NULL;

ALTER TABLE "nectar"."team_colors" ADD COLUMN "color" nectar.team_color NOT NULL;

ALTER TABLE "nectar"."weekly_workout_stats" ADD COLUMN "team_color" nectar.team_color;

ALTER TABLE "nectar"."workout_checkins" ADD COLUMN "team_color" nectar.team_color;

CREATE TYPE "nectar"."token_scope" AS ENUM ('journal:read', 'journal:write', 'goals:read', 'goals:write', 'wellness:read', 'wellness:write', 'drops:read', 'drops:write', 'game:read', 'game:write', 'profile:read', 'profile:write', 'notifications:read', 'notifications:write');

ALTER TABLE "nectar"."personal_tokens" ADD COLUMN "scopes" nectar.token_scope[] NOT NULL;

CREATE TYPE "nectar"."token_usage_month" AS ("month" text, "total_tokens" bigint, "total_cost_usd" numeric, "drops_equivalent" numeric, "breakdown" jsonb);

CREATE TYPE "nectar"."token_usage_type" AS ENUM ('tone_analysis', 'background_generation', 'tone_pack_image', 'assistant_drop', 'note_analysis');

ALTER TABLE "nectar"."token_usage" ADD COLUMN "usage_type" nectar.token_usage_type NOT NULL;

CREATE TYPE "nectar"."tone_pack_theme" AS ENUM ('origami', 'animals', 'nature', 'abstract', 'geometric', 'minimalist', 'watercolor', 'line-art', 'icons', 'emojis', 'shapes', 'patterns');

ALTER TABLE "nectar"."tone_packs" ADD COLUMN "theme" nectar.tone_pack_theme NOT NULL;

CREATE TYPE "nectar"."user_role" AS ENUM ('user', 'admin', 'super_admin');

ALTER TABLE "nectar"."user_roles" ADD COLUMN "role" nectar.user_role NOT NULL;

CREATE TYPE "nectar"."visibility" AS ENUM ('user', 'team', 'org', 'public');

ALTER TABLE "nectar"."goals" ADD COLUMN "metadata_visibility" nectar.visibility NOT NULL DEFAULT 'user'::nectar.visibility;

ALTER TABLE "nectar"."goals" ADD COLUMN "content_visibility" nectar.visibility NOT NULL DEFAULT 'user'::nectar.visibility;

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "metadata_visibility" nectar.visibility NOT NULL DEFAULT 'user'::nectar.visibility;

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "content_visibility" nectar.visibility NOT NULL DEFAULT 'user'::nectar.visibility;

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "effective_metadata_visibility" nectar.visibility NOT NULL DEFAULT 'user'::nectar.visibility;

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "effective_content_visibility" nectar.visibility NOT NULL DEFAULT 'user'::nectar.visibility;

ALTER TABLE "nectar"."notebooks" ADD COLUMN "metadata_visibility" nectar.visibility NOT NULL DEFAULT 'user'::nectar.visibility;

ALTER TABLE "nectar"."notebooks" ADD COLUMN "content_visibility" nectar.visibility NOT NULL DEFAULT 'user'::nectar.visibility;

ALTER TABLE "nectar"."trashed_entries" ADD COLUMN "metadata_visibility" nectar.visibility NOT NULL;

ALTER TABLE "nectar"."trashed_entries" ADD COLUMN "content_visibility" nectar.visibility NOT NULL;

CREATE TYPE "nectar"."wellness_type" AS ENUM ('satisfaction', 'action_note', 'sleep');

ALTER TABLE "nectar"."wellness_entries" ADD COLUMN "type" nectar.wellness_type NOT NULL;

CREATE TYPE "private"."audience_reason" AS ENUM ('private', 'explicit', 'inherited_from_notebook', 'not_inherited', 'share_void', 'limited_by_metadata', 'public', 'hidden_by_moderation');

CREATE TYPE "private"."badge" AS ("user_id" uuid, "level" integer, "total_drops_sent" integer, "engagement_increases" integer, "success_rate" numeric, "bonus_drops_earned" integer, "run_days" integer, "last_sent_on" date);

CREATE TYPE "private"."card" AS ("id" uuid, "full_name" text, "avatar_url" text, "is_ai" boolean);

CREATE TYPE "private"."check_in_facts" AS ("user_id" uuid, "chain_id" uuid, "date" date, "activity_type" nectar.activity_type, "photo_timestamp" timestamp with time zone, "status" nectar.checkin_status, "chain_status" nectar.chain_status, "is_early" boolean, "has_streak" boolean, "team_color" nectar.team_color, "week" date, "checked_in_at" timestamp with time zone, "replaced_id" uuid, "is_counted" boolean);

CREATE TYPE "private"."chip_parts" AS ("base" integer, "chain" integer, "early" numeric, "streak" integer, "raw" numeric, "earned" integer);

CREATE TYPE "private"."days_in_state" AS ("state" nectar.day_state, "is_checked_in" boolean, "days" integer[]);

CREATE TYPE "private"."drop_allowance" AS ("daily_allowance" integer, "drops_used" integer, "bonus_drops_earned" integer, "custom_drops_used" integer, "max_custom_drops_per_day" integer);

CREATE TYPE "private"."drop_sender" AS ("id" uuid, "full_name" text, "avatar_url" text, "is_assistant" boolean);

CREATE TYPE "private"."ended_day" AS ("chain_id" uuid, "user_id" uuid, "date" date, "after_user_id" uuid, "team_color" nectar.team_color, "state" nectar.day_state);

CREATE TYPE "private"."erasure_times" AS ("requested_at" text, "erases_at" text);

CREATE TYPE "private"."expected_file" AS ("id" uuid, "path" text);

CREATE TYPE "private"."goal_streak" AS ("current" integer, "longest" integer);

CREATE TYPE "private"."home" AS ("latitude" double precision, "longitude" double precision);

CREATE TYPE "private"."inviting_organization" AS ("id" uuid, "name" text, "member_count" integer);

CREATE TYPE "private"."journal_reminder" AS ("time" text, "weekdays" smallint[], "only_if_not_written" boolean);

CREATE TYPE "private"."ledger_difference" AS ENUM ('balance', 'gap', 'negative', 'missing_signup_bonus', 'twice_in_a_month', 'purchase_without_pack', 'pack_without_purchase');

CREATE TYPE "private"."matched_day" AS ("date" date, "window_start_time" time without time zone, "window_end_time" time without time zone, "timezone" text, "window_starts_at" text);

CREATE TYPE "private"."matched_window" AS ("start" text, "end" text, "timezone" text);

CREATE TYPE "private"."mood_count" AS ("mood" text, "count" bigint);

CREATE TYPE "private"."named_notebook" AS ("notebook_id" uuid, "name" text);

CREATE TYPE "private"."named" AS ("id" uuid, "name" text);

CREATE TYPE "private"."axis_audience" AS ("set" nectar.visibility, "effective" nectar.visibility, "inherited_from" private.named_notebook, "team" private.named, "organization" private.named, "people" integer, "approximate" boolean, "reasons" private.audience_reason[]);

CREATE TYPE "private"."entry_audience" AS ("metadata" private.axis_audience, "content" private.axis_audience);

CREATE TYPE "private"."erasure_preview" AS ("entries" bigint, "drops_balance" integer, "subscription_active" boolean, "tone_packs_with_buyers" bigint, "organizations_to_transfer" private.named[], "organizations_handed_back" private.named[], "organizations_removed" private.named[], "teams_handed_over" bigint);

CREATE TYPE "private"."erasure" AS ("preview" private.erasure_preview, "scheduled" private.erasure_times);

CREATE TYPE "private"."notes_state" AS ("since" timestamp(3) with time zone, "version" numeric, "fingerprint" bytea);

CREATE TYPE "private"."organization_role" AS ENUM ('owner', 'admin', 'member', 'none');

CREATE TYPE "private"."own_entry" AS ("entry_date" date, "written_at" double precision, "tags" text[], "tag_keys" text[], "mood" text, "words" integer);

CREATE TYPE "private"."own_profile" AS ("id" uuid, "email" text, "full_name" text, "avatar_url" text, "preferences" jsonb, "drops_balance" integer, "is_ai" boolean, "role" nectar.user_role, "read_notes_enabled" boolean, "check_in_enabled" boolean, "timezone" text, "leaderboard_visible" boolean, "is_premium" boolean, "suspended_until" text, "created_at" text, "updated_at" text);

CREATE TYPE "private"."paying_movement" AS ("id" uuid, "amount" integer, "balance_after" integer, "description" text, "item_id" uuid, "created_at" text);

CREATE TYPE "private"."player_card" AS ("id" uuid, "full_name" text, "avatar_url" text, "is_ai" boolean, "window" private.matched_window, "activity_type" nectar.activity_type, "custom_activity" text);

CREATE TYPE "private"."quiet_hours" AS ("start" text, "end" text);

CREATE TYPE "private"."notification_choices" AS ("push" json, "quiet_hours" private.quiet_hours, "journal_reminder" private.journal_reminder);

CREATE TYPE "private"."received_drop" AS ("id" uuid, "sender_id" uuid, "sender" private.drop_sender, "recipient_id" uuid, "drop_type" nectar.encouragement_drop_type, "is_custom" boolean, "template_id" uuid, "title" text, "content" text, "media_type" nectar.media_type, "media_url" text, "thumbnail_url" text, "date_sent" date, "created_at" text, "read_at" text, "entry_id" uuid, "goal_id" uuid);

CREATE TYPE "private"."received_drops" AS ("drops" private.received_drop[], "unread_count" bigint);

CREATE TYPE "private"."received_invitation" AS ("id" uuid, "organization" private.inviting_organization, "role" nectar.member_role, "invited_by" private.card, "expires_at" text, "created_at" text);

CREATE TYPE "private"."reconciliation_difference" AS ("user_id" uuid, "kind" private.ledger_difference, "expected" bigint, "found" bigint);

CREATE TYPE "private"."reconciliation" AS ("ok" boolean, "accounts" bigint, "movements" bigint, "issued" bigint, "spent" bigint, "refunded" bigint, "adjusted" bigint, "erased" bigint, "circulating" bigint, "differences" private.reconciliation_difference[]);

CREATE TYPE "private"."seen_axes" AS ("metadata" boolean, "content" boolean);

CREATE TYPE "private"."seen_check_in" AS ("id" uuid, "user_id" uuid, "chain_id" uuid, "date" date, "activity_type" nectar.activity_type, "custom_activity" text, "photo_timestamp" text, "status" nectar.checkin_status, "battle_chips_earned" integer, "chip_breakdown" private.chip_parts, "chain_status" nectar.chain_status, "team_color" nectar.team_color, "battle_week_start" date, "created_at" text, "photo_key" text, "location_lat" numeric, "location_lng" numeric, "flags" nectar.photo_flag[], "reviewed_at" text, "review_reason" text);

CREATE TYPE "private"."recorded_check_in" AS ("check_in" private.seen_check_in, "is_next_notified" boolean);

CREATE TYPE "private"."seen_picture" AS ("id" uuid, "entry_id" uuid, "position" integer, "caption" text, "width" integer, "height" integer, "size_bytes" integer, "file_key" text, "thumbnail_key" text, "created_at" text);

CREATE TYPE "private"."sent_appeal" AS ("id" uuid, "status" nectar.appeal_status, "reason" text, "answer" text, "created_at" text, "decided_at" text);

CREATE TYPE "private"."sent_drop" AS ("drop" private.received_drop, "allowance" private.drop_allowance, "badge" private.badge);

CREATE TYPE "private"."sent_location" AS ("user_id" uuid, "ip_address" text, "latitude" double precision, "longitude" double precision, "city" text, "region" text, "country" text, "timezone" text, "last_updated" text);

CREATE TYPE "private"."sent_message" AS ("id" uuid, "team_id" uuid, "squad_id" uuid, "entry_id" uuid, "goal_id" uuid, "sender" private.card, "content" text, "created_at" text);

CREATE TYPE "private"."sent_notification" AS ("id" uuid, "type" nectar.notification_type, "data" jsonb, "created_at" text, "read_at" text);

CREATE TYPE "private"."notification_page" AS ("notifications" private.sent_notification[], "unread_count" integer);

CREATE TYPE "private"."sent_report" AS ("id" uuid, "reason" nectar.report_reason, "details" text, "status" text, "created_at" text, "decided_at" text);

CREATE TYPE "private"."report_receipt" AS ("report" private.sent_report, "is_new" boolean, "wait_seconds" integer);

CREATE TYPE "private"."sent_window" AS ("id" uuid, "user_id" uuid, "activity_type" nectar.activity_type, "custom_activity" text, "window_start_time" time without time zone, "window_end_time" time without time zone, "timezone" text, "away" datemultirange, "rest_days" jsonb, "effective_from" date, "previous_activity_type" nectar.activity_type, "previous_custom_activity" text, "previous_window_start_time" time without time zone, "previous_window_end_time" time without time zone, "previous_timezone" text, "created_at" text, "updated_at" text);

CREATE TYPE "private"."shown_goal" AS ("id" uuid, "user_id" uuid, "user" private.card, "title" text, "description" text, "target_date" date, "status" nectar.goal_status, "weekdays" smallint[], "streak" private.goal_streak, "comments_enabled" boolean, "comment_count" integer, "metadata_visibility" nectar.visibility, "content_visibility" nectar.visibility, "team_id" uuid, "org_id" uuid, "effective_metadata_visibility" nectar.visibility, "effective_content_visibility" nectar.visibility, "content_hidden" boolean, "moderation" nectar.moderation_state, "created_at" text, "updated_at" text);

CREATE TYPE "private"."squad_of_day" AS ("user_1_id" uuid, "user_2_id" uuid, "user_3_id" uuid, "team_color" nectar.team_color);

CREATE TYPE "private"."chain_of_day" AS ("team_color" nectar.team_color, "before_user_id" uuid, "after_user_id" uuid, "squad" private.squad_of_day, "cards" private.player_card[], "check_ins" private.seen_check_in[]);

CREATE TYPE "private"."started_check_in" AS ("window" private.sent_window, "home" private.home, "matched" private.matched_day[], "checked_in" date[], "wait_seconds" integer, "file" private.expected_file);

CREATE TYPE "private"."tag_count" AS ("tag" text, "count" bigint);

CREATE TYPE "private"."team_role" AS ENUM ('admin', 'member', 'organization_member', 'none');

CREATE TYPE "private"."tone_pack_purchase" AS ("id" uuid, "pack_id" uuid, "user_id" uuid, "price_drops" integer, "created_at" text);

CREATE TYPE "private"."tone_pack_receipt" AS ("purchase" private.tone_pack_purchase, "transaction" private.paying_movement, "balance" integer);

CREATE TYPE "private"."user_page" AS ("id" uuid, "full_name" text, "avatar_url" text, "is_ai" boolean, "badge_level" smallint, "shared_organizations" private.named[]);

CREATE TYPE "private"."visibility_axis" AS ENUM ('metadata', 'content');

CREATE TYPE "private"."preview_example" AS ("entry_id" uuid, "title" text, "axis" private.visibility_axis, "from" nectar.visibility, "to" nectar.visibility);

CREATE TYPE "private"."notebook_preview" AS ("approximate" boolean, "entries" bigint, "widened" bigint, "narrowed" bigint, "examples" private.preview_example[]);

CREATE TYPE "private"."weekday_count" AS ("weekday" integer, "entries" bigint);

CREATE TYPE "private"."wellness_averages" AS ("satisfaction_average" numeric, "sleep_hours_average" numeric);

CREATE TYPE "private"."written_day" AS ("date" date, "entries" bigint, "words" bigint, "mood" text);

CREATE TYPE "private"."journal_stats" AS ("from" date, "to" date, "entries" integer, "words" bigint, "days_written" integer, "current_streak" bigint, "longest_streak" bigint, "moods" private.mood_count[], "tags" private.tag_count[], "by_day" private.written_day[], "by_weekday" private.weekday_count[], "wellness" private.wellness_averages);

CREATE TYPE "private"."mood_calendar" AS ("year" integer, "days" private.written_day[]);

CREATE OR REPLACE FUNCTION private.accept_invitation(p_token_hash bytea, p_invitation_id uuid)
 RETURNS TABLE(org_id uuid, org_name text, is_new boolean, skipped_team_ids uuid[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_invitation nectar.invitations := private.find_invitation(p_token_hash, p_invitation_id, true);
  v_organization nectar.organizations;
  v_is_new boolean;
begin
  -- Locks profiles first, then the group from the outside in, as everything that changes a group does.
  perform private.lock_profiles(array[v_invitation.invited_by]);
  perform private.lock_pair(v_invitation.invited_by, v_actor, true);
  select * into v_organization from nectar.organizations o where o.id = v_invitation.org_id for key share;
  perform from nectar.teams t where t.id = any (v_invitation.team_ids) order by t.id for key share;
  perform from nectar.organization_members m where m.org_id = v_invitation.org_id and m.user_id = v_actor for key share;
  perform from nectar.invitations i where i.id = v_invitation.id for no key update;
  -- Again, because it may have ended while this transaction waited.
  v_invitation := private.find_invitation(p_token_hash, p_invitation_id, true);

  insert into nectar.organization_members (org_id, user_id, role)
  values (v_invitation.org_id, v_actor, v_invitation.role) on conflict do nothing;
  v_is_new := found;
  if v_is_new then update nectar.invitations i set uses = i.uses + 1 where i.id = v_invitation.id; end if;
  perform private.record_member_acted(array[v_invitation.org_id]);
  insert into nectar.team_members (team_id, org_id, user_id)
  select t.id, t.org_id, v_actor from nectar.teams t where t.id = any (v_invitation.team_ids)
  on conflict do nothing;
  return query
    select v_organization.id, v_organization.name, v_is_new, array(
      select given.id from unnest(v_invitation.team_ids) given (id)
      where not exists (select from nectar.teams t where t.id = given.id)
    );
end $function$;

CREATE OR REPLACE FUNCTION private.activate_tone_pack(p_pack_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  if p_pack_id is null then
    update nectar.accounts set active_tone_pack_id = null, updated_at = now()
    where user_id = v_actor and active_tone_pack_id is not null;
    return true;
  end if;
  perform private.lock_profile(v_actor);
  -- Taking a pack away locks it too: it either comes first and is seen here, or it clears what is set here.
  perform from nectar.tone_packs p where p.id = p_pack_id for share;
  perform from nectar.accounts a where a.user_id = v_actor for update;
  if not private.may_use_tone_pack(v_actor, p_pack_id) then
    if exists (
      select from nectar.tone_packs p
      where p.id = p_pack_id and p.is_public and p.hidden_at is null and not private.has_block(v_actor, p.owner_id)
    ) then
      return false;
    end if;
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  update nectar.accounts set active_tone_pack_id = p_pack_id, updated_at = now()
  where user_id = v_actor and active_tone_pack_id is distinct from p_pack_id;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.actor_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (NULLIF(((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb ->> 'sub'::text), ''::text))::uuid;

CREATE OR REPLACE FUNCTION private.add_erased_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.erased_totals t set balance = t.balance + e.balance
  from (select sum(a.drops_balance) as balance from erased a) e where e.balance <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.add_erased_movements()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.erased_totals t
  set issued = t.issued + e.issued, spent = t.spent + e.spent, refunded = t.refunded + e.refunded,
    adjusted = t.adjusted + e.adjusted
  from (
    select
      coalesce(sum(m.amount) filter (where m.type in ('signup_bonus', 'monthly_recurring')), 0) as issued,
      coalesce(-sum(m.amount) filter (where m.type = 'purchase'), 0) as spent,
      coalesce(sum(m.amount) filter (where m.type = 'refund'), 0) as refunded,
      coalesce(sum(m.amount) filter (where m.type = 'admin_adjustment'), 0) as adjusted,
      count(*) as movements
    from erased m
  ) e
  where e.movements > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.adjust_drops(p_user_id uuid, p_amount integer, p_description text)
 RETURNS nectar.drop_transactions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin adjusts balances' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  perform private.lock_profile(p_user_id);
  return private.post_drop_transaction(
    p_user_id, 'admin_adjustment', p_amount, 'adjustment:' || gen_random_uuid(), p_description
  );
end $function$;

CREATE OR REPLACE FUNCTION private.adopt_entry_audiences()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select e.user_id, e.metadata_audience_id, e.content_audience_id
    into strict new.user_id, new.metadata_audience_id, new.content_audience_id
    from nectar.journal_entries e where e.id = new.entry_id for share;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.advance_badges(p_changes jsonb, p_moment timestamp with time zone)
 RETURNS TABLE(user_id uuid, climbed boolean)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return query
    with advanced as (
      update nectar.user_badges b
      set (total_drops_sent, engagement_increases, bonus_drops_earned, run_days, last_sent_on, level) = (
        select n.sent, n.engaged, n.bonus, n.run_days, n.last_sent_on, (
          select greatest(b.level, max(d.level)) from nectar.badge_definitions d
          where d.min_engagement_increases <= n.engaged
            and (d.min_success_rate is null or d.min_success_rate * n.sent <= n.engaged * 100.0)
            and (
              d.min_consecutive_days is null
              or d.min_consecutive_days <= private.current_run(n.run_days, n.last_sent_on, p_moment)
            )
        )
        from (
          select b.total_drops_sent + coalesce(c.sent, 0) as sent,
            b.engagement_increases + coalesce(c.engaged, 0) as engaged,
            b.bonus_drops_earned + coalesce(c.bonus, 0) as bonus,
            coalesce(c.run_days, b.run_days) as run_days,
            coalesce(c.last_sent_on, b.last_sent_on) as last_sent_on
        ) n
      )
      from jsonb_to_recordset(p_changes) c (
        user_id uuid, sent integer, engaged integer, bonus integer, run_days integer, last_sent_on date
      )
      join nectar.user_badges before on before.user_id = c.user_id
      -- Of jsonb the planner expects a hundred rows, and would rather read all badges.
      where b.user_id = c.user_id
        and b.user_id = any (array(select (e ->> 'user_id')::uuid from jsonb_array_elements(p_changes) e))
      returning b.user_id, b.level, before.level as level_before,
        case when b.level > before.level then private.badge_stats(b, p_moment) end as stats
    ), reached as (
      -- The old level is the one that this statement saw; a concurrent transaction has created the same milestones.
      insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
      select a.user_id, d.level, d.name, p_moment, a.stats from advanced a
      join nectar.badge_definitions d on d.level > a.level_before and d.level <= a.level
      on conflict on constraint badge_milestones_one_for_a_level do nothing
      returning badge_milestones.user_id, badge_milestones.level
    ), highest as (select r.user_id, max(r.level) as level from reached r group by r.user_id), notified as (
      insert into nectar.notifications (user_id, type, data)
      select h.user_id, 'badge_earned', jsonb_build_object('level', d.level, 'badge_name', d.name, 'emoji', d.emoji)
      from highest h
      join nectar.badge_definitions d on d.level = h.level
      join nectar.profiles p on p.id = h.user_id and not p.is_ai
    )
    -- Not joined: the planner expects few of both, and would compare each with each.
    select a.user_id, a.user_id in (select h.user_id from highest h) from advanced a;
end $function$;

CREATE OR REPLACE FUNCTION private.allow_own_mail()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_address_hash constant bytea := private.email_address_hash(private.confirmed_address(private.actor_id()));
begin
  if v_address_hash is null then
    raise exception 'no confirmed address' using errcode = 'NX000', detail = 'email.sender_not_confirmed';
  end if;
  delete from private.email_suppressions s where s.address_hash = v_address_hash and s.reason = 'unsubscribed';
  if exists (select from private.email_suppressions s where s.address_hash = v_address_hash) then
    raise exception 'mail to the address failed' using errcode = 'NX000', detail = 'email.undeliverable';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.analysis_for_message(p_user_id uuid)
 RETURNS TABLE(id uuid, analysis jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$
    select n.id, jsonb_build_object(
      'summary', n.summary, 'mood_trends', n.mood_trends, 'topics', n.topics, 'patterns', n.patterns,
      'recommendations', n.recommendations, 'insights', n.insights
    )
    from nectar.note_analyses n
    join nectar.accounts a on a.user_id = n.user_id
    where n.user_id = p_user_id and private.lets_assistant_serve(a, 'daily_drop') order by n.analysis_date desc limit 1
  $function$;

CREATE OR REPLACE FUNCTION private.appeal_to_send(p_appeal nectar.moderation_appeals)
 RETURNS private.sent_appeal
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return row(
    p_appeal.id, p_appeal.status, p_appeal.reason, p_appeal.answer,
    private.rfc3339(p_appeal.created_at), private.rfc3339(p_appeal.decided_at)
  )::private.sent_appeal;
end $function$;

CREATE OR REPLACE FUNCTION private.appeal_until(p_decided_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((p_decided_at AT TIME ZONE 'UTC'::text) + '183 days'::interval) AT TIME ZONE 'UTC'::text);

CREATE OR REPLACE FUNCTION private.apply_block()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.clear_blocked_tone_packs(new);
  perform private.queue_blocked_players(new);
  perform private.recount_messages(new);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.apply_decisions(p_decision nectar.moderation_decisions)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_hidden_at constant timestamptz :=
    private.hidden_since(p_decision.owner_id, p_decision.target_type, p_decision.target_id);
begin
  if p_decision.decision = 'hide' then
    case p_decision.target_type
      when 'entry' then update nectar.journal_entries set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'notebook' then update nectar.notebooks set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'goal' then update nectar.goals set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'tone_pack' then update nectar.tone_packs set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'drop' then update nectar.encouragement_drops set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'checkin' then
        update nectar.workout_checkin_photos set hidden_at = v_hidden_at where checkin_id = p_decision.target_id;
      when 'message' then update nectar.team_messages set hidden_at = v_hidden_at where id = p_decision.target_id;
    end case;
  elsif p_decision.decision = 'suspend' then
    perform private.suspend_user(p_decision.owner_id, greatest(
      private.kept_suspension(p_decision.owner_id),
      (
        select max(d.suspended_until) from nectar.moderation_decisions d
        where d.owner_id = p_decision.owner_id and d.decision = 'suspend' and d.reversed_at is null
      )
    ));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.archive_to_import(p_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_import nectar.journal_imports;
begin
  select * into v_import from nectar.journal_imports i where i.id = p_id and i.user_id = private.actor_id();
  if not found then
    raise exception 'no such import of the caller' using errcode = 'NX000', detail = 'import.not_found';
  end if;
  if v_import.status in ('done', 'failed') and not v_import.dry_run then
    raise exception 'it has ended' using errcode = 'NX000', detail = 'import.ended';
  end if;
  return v_import.path;
end $function$;

CREATE OR REPLACE FUNCTION private.are_both_in(p_one uuid, p_other uuid, p_group uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select count(*) = 2 from private.audience_members m where m.audience_id = p_group and m.user_id in (p_one, p_other)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.area_key(p_city text, p_region text, p_timezone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
select coalesce(
  'city:' || zone || ':' || nullif(lower(btrim(regexp_replace(p_city, '\s+', ' ', 'g'))), ''),
  'region:' || zone || ':' || nullif(lower(btrim(regexp_replace(p_region, '\s+', ' ', 'g'))), ''), 'zone:' || zone
)
from private.canonical_time_zone(p_timezone) zone
$function$;

CREATE OR REPLACE FUNCTION private.assistant_range_ends(p_job nectar.assistant_job, p_moment timestamp with time zone, p_size integer)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select coalesce(array_agg(r.user_id order by r.user_id), '{}')
    from (
      select a.user_id, row_number() over (order by a.user_id) as number from nectar.accounts a
      where private.lets_assistant_serve(a, p_job)
        and not exists (
          select from private.assistant_turns t
          where t.user_id = a.user_id and t.job = p_job and t.day = (p_moment at time zone 'UTC')::date
            and t.finished_at is not null
        )
    ) r
    where r.number % p_size = 0
  $function$;

CREATE OR REPLACE FUNCTION private.audience(p_entry nectar.journal_entries, p_notebook nectar.notebooks)
 RETURNS private.entry_audience
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select row((array_agg(s.axis order by s.name desc))[1], (array_agg(s.axis order by s.name))[1])::private.entry_audience
    from (
      select axis.name, row(
        axis.visibility,
        axis.effective,
        case when axis.inherits then row(p_notebook.id, p_notebook.name)::private.named_notebook end,
        (select row(t.id, t.name)::private.named from nectar.teams t where t.id = axis.audience_id),
        (select row(o.id, o.name)::private.named from nectar.organizations o where o.id = axis.audience_id),
        -- Null for the public, which "least" would ignore.
        case when readers.count is not null then least(readers.count, private.preview_limit()) end,
        coalesce(readers.count > private.preview_limit(), false),
        array_remove(
          array[
            case
              when axis.inherits then 'inherited_from_notebook'
              when axis.visibility <> 'user' then 'explicit'
              when p_notebook.id is null then 'private'
              else 'not_inherited'
            end,
            case when not axis.is_hidden and axis.effective <> axis.requested then 'share_void' end,
            case when not private.is_within(axis.audience_id, p_entry.metadata_audience_id) then 'limited_by_metadata' end,
            case
              when private.public_audience() = all (array[p_entry.metadata_audience_id, axis.audience_id]) then 'public'
            end,
            case when axis.is_hidden then 'hidden_by_moderation' end
          ],
          null
        )::private.audience_reason[]
      )::private.axis_audience as axis
    from (values
      (
        'metadata', p_entry.metadata_visibility, p_notebook.metadata_visibility,
        p_entry.effective_metadata_visibility, p_entry.metadata_audience_id
      ),
      (
        'content', p_entry.content_visibility, p_notebook.content_visibility,
        p_entry.effective_content_visibility, p_entry.content_audience_id
      )
    ) a (name, visibility, notebook_visibility, effective, audience_id)
    cross join lateral (select private.count_readers(p_entry.metadata_audience_id, a.audience_id) as count) readers
    cross join lateral (
      select private.inherits_visibility(a.visibility, p_entry.inherit_visibility, p_notebook.id) as inherits
    ) i
    cross join lateral (
      select a.*, i.inherits,
        case when i.inherits then a.notebook_visibility else a.visibility end as requested,
        p_entry.hidden_at is not null or (i.inherits and p_notebook.hidden_at is not null) as is_hidden
    ) axis
    ) s
  );
end $function$;

CREATE OR REPLACE FUNCTION private.audiences_despite_own_blocks(p_owner_id uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- With a block of anyone, the caller does not have the public among their audiences.
  if private.is_blocked_by(p_owner_id) then
    return array_remove(private.my_audiences(), private.public_audience());
  end if;
  return private.my_audiences() || private.public_audience();
end $function$;

CREATE OR REPLACE FUNCTION private.audiences_in_notebook(p_notebook_id uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_author uuid;
begin
  select n.user_id into v_author from nectar.notebooks n where n.id = p_notebook_id;
  return array(
    -- From each audience to the next one in the index, however many entries it has.
    with recursive found as (
      (
        select e.metadata_audience_id as id from nectar.journal_entries e where e.notebook_id = p_notebook_id
        order by e.metadata_audience_id limit 1
      )
      union all
      select (
        select e.metadata_audience_id from nectar.journal_entries e
        where e.notebook_id = p_notebook_id and e.metadata_audience_id > f.id order by e.metadata_audience_id limit 1
      )
      from found f where f.id is not null
    )
    select f.id from found f
    where v_author = private.actor_id()
      or private.is_reached(
        f.id, v_author, (select private.my_audiences())::uuid[], (select private.blocked_users())::uuid[]
      )
      or (select private.is_super_admin())
  );
end $function$;

CREATE OR REPLACE FUNCTION private.award_monthly_batch(p_month date, p_after_user_id uuid, p_limit integer, OUT last_user uuid, OUT seen integer, OUT awarded integer, OUT failed integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_max_balance constant bigint := 2147483647;
  v_due jsonb;
begin
  -- The nil id is before every id, so the index range starts here; "or p_after_user_id is null" would read from the
  -- start.
  with page as (
    select a.user_id, a.drops_balance,
      -- With constants the amount is computed once per query, not once per row.
      case when a.is_premium then private.monthly_drops(true) else private.monthly_drops(false) end as amount
    from nectar.accounts a
    join nectar.profiles p on p.id = a.user_id
    where a.user_id > coalesce(p_after_user_id, '00000000-0000-0000-0000-000000000000') and not p.is_ai
    order by a.user_id limit p_limit
  ), checked as materialized (
    -- One look into the primary key for each person. A join would be planned by the statistics, which know no rows of a
    -- new month, and would compare each person with every award of the batches before.
    select page.user_id, page.amount,
      (select m.month from nectar.monthly_drop_awards m where m.user_id = page.user_id and m.month = p_month)
        is null as is_missing,
      page.drops_balance + page.amount::bigint <= v_max_balance as fits
    from page
  )
  select
    (array_agg(c.user_id order by c.user_id desc))[1],
    count(*),
    count(*) filter (where c.is_missing and not c.fits),
    jsonb_agg(jsonb_build_object('user_id', c.user_id, 'amount', c.amount)) filter (where c.is_missing and c.fits)
  into last_user, seen, failed, v_due
  from checked c;
  select count(*) into awarded from private.book_monthly_awards(v_due, p_month);
end $function$;

CREATE OR REPLACE FUNCTION private.award_monthly_drops(p_moment timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_amount integer;
  v_awarded integer;
begin
  perform private.check_moment(p_moment);
  select private.monthly_drops(a.is_premium) into v_amount from nectar.accounts a
  join nectar.profiles p on p.id = a.user_id
  where a.user_id = private.actor_id() and not p.is_ai;
  if not found then return 0; end if;
  select b.amount into v_awarded
  from private.book_monthly_awards(
    jsonb_build_array(jsonb_build_object('user_id', private.actor_id(), 'amount', v_amount)),
    date_trunc('month', p_moment at time zone 'UTC')::date
  ) b;
  return coalesce(v_awarded, 0);
end $function$;

CREATE OR REPLACE FUNCTION private.axes_seen_by(p_person_id uuid, p_thing nectar.journal_entries, p_is_blocked boolean)
 RETURNS private.seen_axes
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_audiences constant uuid[] := array(
    select m.audience_id from private.audience_members m where m.user_id = p_person_id
  );
  v_is_author constant boolean := p_person_id = p_thing.user_id;
  v_sees_metadata constant boolean := v_is_author or private.is_reached(
    p_thing.metadata_audience_id, p_thing.user_id, v_audiences,
    case when p_is_blocked then array[p_thing.user_id] else '{}' end
  );
begin
  return row(
    v_sees_metadata,
    v_is_author or (
      v_sees_metadata and p_thing.content_audience_id = any (v_audiences || private.public_audience())
    )
  )::private.seen_axes;
end $function$;

CREATE OR REPLACE FUNCTION private.battle_days(p_week date)
 RETURNS TABLE(date date, red_chips integer, blue_chips integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    select c.date,
      coalesce(sum(c.battle_chips_earned) filter (where c.team_color = 'red'), 0)::integer,
      coalesce(sum(c.battle_chips_earned) filter (where c.team_color = 'blue'), 0)::integer
    from nectar.workout_checkins c
    where c.battle_week_start = p_week and c.status = 'verified' and c.team_color is not null
      and not exists (select from nectar.battles b where b.week_start_date = p_week and b.battle_status = 'completed')
    group by c.date
    union all
    -- Later changes of check-ins do not change a battle that is over.
    select d.date, d.red, d.blue from nectar.battles b
    cross join jsonb_to_recordset(b.daily_chips) d (date date, red integer, blue integer)
    where b.week_start_date = p_week
  $function$;

CREATE OR REPLACE FUNCTION private.battle_members(p_week date)
 RETURNS TABLE(red_members integer, blue_members integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select (count(*) filter (where m.color = 'red'))::integer, (count(*) filter (where m.color = 'blue'))::integer
    from (
      select t.color from nectar.team_colors t where t.week_start_date = p_week
      union all
      -- Everyone who played in the week itself has its color; some bring chips of another color from a week before.
      select brought.team_color
      from (
        select distinct c.user_id, c.team_color from nectar.workout_checkins c
        where c.battle_week_start = p_week and c.status = 'verified' and c.date < p_week
      ) brought
      where not exists (
        select from nectar.team_colors t
        where t.week_start_date = p_week and t.user_id = brought.user_id and t.color = brought.team_color
      )
    ) m;
end $function$;

CREATE OR REPLACE FUNCTION private.battle_totals(p_week date)
 RETURNS TABLE(red_chips integer, blue_chips integer, red_members integer, blue_members integer, daily_chips jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select chips.red, chips.blue, m.red_members, m.blue_members, chips.by_day
    from (
      select coalesce(sum(d.red_chips), 0)::integer as red, coalesce(sum(d.blue_chips), 0)::integer as blue,
        coalesce(
          jsonb_agg(jsonb_build_object('date', d.date, 'red', d.red_chips, 'blue', d.blue_chips) order by d.date), '[]'
        ) as by_day
      from private.battle_days(p_week) d
    ) chips
    cross join private.battle_members(p_week) m
  $function$;

CREATE OR REPLACE FUNCTION private.blocked_users()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  if v_actor is null then return null; end if;
  return array(
    select b.blocked_id from nectar.blocks b where b.user_id = v_actor
    union all
    select b.user_id from nectar.blocks b where b.blocked_id = v_actor
  );
end $function$;

CREATE OR REPLACE FUNCTION private.book_monthly_awards(p_amounts jsonb, p_month date)
 RETURNS SETOF nectar.monthly_drop_awards
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_month_name constant text := to_char(p_month, 'YYYY-MM');
begin
  -- The lock of the account and the event key allow one award per month, so this insert has no conflict.
  return query
    insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
    select t.user_id, p_month, t.amount, t.id
    from private.post_drop_transactions(
      p_amounts, 'monthly_recurring', 'monthly:' || v_month_name, 'Monthly drops for ' || v_month_name
    ) t
    returning *;
end $function$;

CREATE OR REPLACE FUNCTION private.bootstrap_role(p_user_id uuid, p_address text, p_role nectar.user_role)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from nectar.profiles p
  join auth.users u on u.id = p.id
  where p.id = p_user_id and lower(u.email) = lower(p_address) and u.email_confirmed_at is not null for key share of p;
  if not found then return false; end if;
  insert into nectar.user_roles (user_id, role) values (p_user_id, p_role) on conflict (user_id) do nothing;
  if found then
    insert into nectar.audit_events (actor_id, actor_role, action, target_type, target_id, changed)
    values (p_user_id, 'user', 'bootstrapRole', 'user', p_user_id, '{role}');
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.can_see_content(p_entry_id uuid, p_goal_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.journal_entry_contents c where c.entry_id = p_entry_id)
    or exists (select from nectar.goal_contents c where c.goal_id = p_goal_id);
end $function$;

CREATE OR REPLACE FUNCTION private.can_see_entry(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.journal_entries e where e.id = p_id);
end $function$;

CREATE OR REPLACE FUNCTION private.can_see_goal(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.goals g where g.id = p_id);
end $function$;

CREATE OR REPLACE FUNCTION private.can_see_goal_content(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.goal_contents c where c.goal_id = p_id);
end $function$;

CREATE OR REPLACE FUNCTION private.can_see_person(p_user_id uuid, p_moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_today constant date := private.date_of(v_actor, p_moment);
begin
  return p_user_id in (v_actor, private.system_user_id())
    or private.shares_organization(p_user_id)
    or exists (
      select from nectar.chains c
      left join nectar.squads s on s.id = c.squad_id
      where c.user_id = v_actor and c.date > v_today - 30 and c.date <= v_today
        and p_user_id in (c.before_user_id, c.after_user_id, s.user_1_id, s.user_2_id, s.user_3_id)
    )
    or exists (select from nectar.encouragement_drops d where d.recipient_id = v_actor and d.sender_id = p_user_id)
    or exists (select from nectar.encouragement_drops d where d.sender_id = v_actor and d.recipient_id = p_user_id)
    or exists (select from nectar.tone_packs t where t.owner_id = p_user_id and t.is_public and t.hidden_at is null)
    or exists (
      select from nectar.notebooks n where n.user_id = p_user_id and n.metadata_audience_id = private.public_audience()
    )
    or exists (
      select from nectar.goals g where g.user_id = p_user_id and g.metadata_audience_id = private.public_audience()
    )
    or exists (
      select from nectar.journal_entries e
      where e.user_id = p_user_id and e.metadata_audience_id = private.public_audience()
    );
end $function$;

CREATE OR REPLACE FUNCTION private.cancel_for_erased_person(p_user_id uuid, p_payment_subscription_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.subscriptions_to_cancel (payment_subscription_id)
  select p_payment_subscription_id
  where exists (select from nectar.audit_events e where e.target_id = p_user_id and e.action = 'deleteAccount')
  on conflict do nothing;
end $function$;

CREATE OR REPLACE FUNCTION private.cancel_note_analysis()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    update private.assistant_turns t
    set claim = null, claimed_until = null, finished_at = now(),
      (notes_since, notes_version, notes_fingerprint) = (
        select s.since, s.version, s.fingerprint from private.notes_state(t.user_id, private.notes_since(now())) s
      )
    where t.user_id = private.actor_id() and t.job = 'note_analysis' and t.claimed_until is not null
  $function$;

CREATE OR REPLACE FUNCTION private.canonical_time_zone(p_timezone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
select coalesce('{
  "africa/asmera": "africa/asmara", "africa/timbuktu": "africa/bamako",
  "america/argentina/comodrivadavia": "america/argentina/catamarca", "america/atka": "america/adak",
  "america/buenos_aires": "america/argentina/buenos_aires", "america/catamarca": "america/argentina/catamarca",
  "america/coral_harbour": "america/atikokan", "america/cordoba": "america/argentina/cordoba",
  "america/ensenada": "america/tijuana", "america/fort_wayne": "america/indiana/indianapolis",
  "america/godthab": "america/nuuk", "america/indianapolis": "america/indiana/indianapolis",
  "america/jujuy": "america/argentina/jujuy", "america/knox_in": "america/indiana/knox",
  "america/louisville": "america/kentucky/louisville", "america/mendoza": "america/argentina/mendoza",
  "america/montreal": "america/toronto", "america/nipigon": "america/toronto",
  "america/pangnirtung": "america/iqaluit", "america/porto_acre": "america/rio_branco",
  "america/rainy_river": "america/winnipeg", "america/rosario": "america/argentina/cordoba",
  "america/santa_isabel": "america/tijuana", "america/shiprock": "america/denver",
  "america/thunder_bay": "america/toronto", "america/virgin": "america/st_thomas",
  "america/yellowknife": "america/edmonton", "antarctica/south_pole": "antarctica/mcmurdo",
  "asia/ashkhabad": "asia/ashgabat", "asia/calcutta": "asia/kolkata", "asia/choibalsan": "asia/ulaanbaatar",
  "asia/chongqing": "asia/shanghai", "asia/chungking": "asia/shanghai", "asia/dacca": "asia/dhaka",
  "asia/harbin": "asia/shanghai", "asia/istanbul": "europe/istanbul", "asia/kashgar": "asia/urumqi",
  "asia/katmandu": "asia/kathmandu", "asia/macao": "asia/macau", "asia/rangoon": "asia/yangon",
  "asia/saigon": "asia/ho_chi_minh", "asia/tel_aviv": "asia/jerusalem", "asia/thimbu": "asia/thimphu",
  "asia/ujung_pandang": "asia/makassar", "asia/ulan_bator": "asia/ulaanbaatar", "atlantic/faeroe": "atlantic/faroe",
  "atlantic/jan_mayen": "arctic/longyearbyen", "australia/act": "australia/sydney",
  "australia/canberra": "australia/sydney", "australia/currie": "australia/hobart",
  "australia/lhi": "australia/lord_howe", "australia/north": "australia/darwin", "australia/nsw": "australia/sydney",
  "australia/queensland": "australia/brisbane", "australia/south": "australia/adelaide",
  "australia/tasmania": "australia/hobart", "australia/victoria": "australia/melbourne",
  "australia/west": "australia/perth", "australia/yancowinna": "australia/broken_hill",
  "brazil/acre": "america/rio_branco", "brazil/denoronha": "america/noronha", "brazil/east": "america/sao_paulo",
  "brazil/west": "america/manaus", "canada/atlantic": "america/halifax", "canada/central": "america/winnipeg",
  "canada/eastern": "america/toronto", "canada/mountain": "america/edmonton",
  "canada/newfoundland": "america/st_johns", "canada/pacific": "america/vancouver",
  "canada/saskatchewan": "america/regina", "canada/yukon": "america/whitehorse",
  "chile/continental": "america/santiago", "chile/easterisland": "pacific/easter", "etc/gmt": "utc",
  "etc/gmt+0": "utc", "etc/gmt-0": "utc", "etc/gmt0": "utc", "etc/greenwich": "utc", "etc/uct": "utc",
  "etc/universal": "utc", "etc/utc": "utc", "etc/zulu": "utc", "europe/belfast": "europe/london",
  "europe/kiev": "europe/kyiv", "europe/nicosia": "asia/nicosia", "europe/tiraspol": "europe/chisinau",
  "europe/uzhgorod": "europe/kyiv", "europe/zaporozhye": "europe/kyiv", "mexico/bajanorte": "america/tijuana",
  "mexico/bajasur": "america/mazatlan", "mexico/general": "america/mexico_city",
  "pacific/enderbury": "pacific/kanton", "pacific/johnston": "pacific/honolulu", "pacific/ponape": "pacific/pohnpei",
  "pacific/samoa": "pacific/pago_pago", "pacific/truk": "pacific/chuuk", "pacific/yap": "pacific/chuuk",
  "us/alaska": "america/anchorage", "us/aleutian": "america/adak", "us/arizona": "america/phoenix",
  "us/central": "america/chicago", "us/east-indiana": "america/indiana/indianapolis",
  "us/eastern": "america/new_york", "us/hawaii": "pacific/honolulu", "us/indiana-starke": "america/indiana/knox",
  "us/michigan": "america/detroit", "us/mountain": "america/denver", "us/pacific": "america/los_angeles",
  "us/samoa": "pacific/pago_pago"
}'::jsonb ->> lower(p_timezone), lower(p_timezone))
$function$;

CREATE OR REPLACE FUNCTION private.change_team_admin(p_team_id uuid, p_new_admin_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_current_team nectar.teams;
begin
  select * into v_current_team from nectar.teams t where t.id = p_team_id for update;
  if not found then raise exception 'no such team' using errcode = 'NX000', detail = 'team.not_found'; end if;
  if not private.is_super_admin() and not exists (
    select from nectar.organizations o where o.id = v_current_team.org_id and o.owner_id = private.actor_id()
  ) then
    raise exception 'not the owner of the organization' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if v_current_team.admin_id = p_new_admin_id then return; end if;
  if private.is_human(p_new_admin_id) = false then
    raise exception 'the new admin is not human' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform from nectar.organization_members m
    where m.org_id = v_current_team.org_id and m.user_id = p_new_admin_id for key share;
  if not found then
    raise exception 'not a member' using errcode = 'NX000', detail = 'team.not_an_organization_member';
  end if;
  update nectar.teams set admin_id = p_new_admin_id, updated_at = now() where id = p_team_id;
  update nectar.team_members set role = 'member' where team_id = p_team_id and user_id = v_current_team.admin_id;
end $function$;

CREATE OR REPLACE FUNCTION private.change_user_role(p_user_id uuid, p_role nectar.user_role)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_super_admin() then
    raise exception 'only for super admins' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  -- Locks all super admins, so that the second of two demotions at the same time sees the result of the first.
  perform from nectar.user_roles r where r.role = 'super_admin' for update;
  if not private.is_super_admin() then
    raise exception 'not a super admin any more' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  -- One who cannot sign in would count as another admin.
  if private.is_human(p_user_id) is not true then
    raise exception 'no such user' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  if p_role <> 'super_admin'
    and exists (select from nectar.user_roles r where r.user_id = p_user_id and r.role = 'super_admin')
    and not private.is_other_super_admin_left(p_user_id)
  then
    raise exception 'the last super admin' using errcode = 'NX000', detail = 'admin.last_super_admin';
  end if;
  -- A plain user keeps a row: without one, the environment's list of admins would give the role again.
  insert into nectar.user_roles as r (user_id, role) values (p_user_id, p_role)
  on conflict (user_id) do update set role = excluded.role, granted_at = now() where r.role <> excluded.role;
end $function$;

CREATE OR REPLACE FUNCTION private.check_entry_date()
 RETURNS trigger
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Today in UTC is at most tomorrow everywhere, so the account is read for later dates only.
  if new.entry_date is not distinct from old.entry_date
    or new.entry_date >= private.first_entry_day()
      and (new.entry_date <= (now() at time zone 'UTC')::date or new.entry_date <= private.last_entry_day(new.user_id))
  then
    return new;
  end if;
  raise exception 'date out of range' using errcode = 'NX000', detail = 'journal.date_out_of_range',
    column = 'entry_date', hint = format('must be between %s and tomorrow', private.first_entry_day());
end $function$;

CREATE OR REPLACE FUNCTION private.check_import_batch(p_id uuid, p_found integer, p_entries jsonb)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_import nectar.journal_imports;
begin
  perform private.lock_importer(p_id);
  update nectar.journal_imports i set found = p_found where i.id = p_id and i.status = 'running'
  returning * into v_import;
  return array(
    select e.external_id from jsonb_to_recordset(p_entries) e (external_id text, exported_id uuid)
    where private.is_imported(v_import, e.external_id, e.exported_id)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.check_in(p_check_in jsonb, p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS private.recorded_check_in
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_recorded record;
begin
  select r.* into v_recorded from private.record_check_in(p_check_in, p_moment, p_grace_minutes) r;
  return (
    select row(s, v_recorded.is_next_notified)::private.recorded_check_in
    from private.seen_check_ins(array[v_recorded.checkin_id]) s
  );
end $function$;

CREATE OR REPLACE FUNCTION private.check_in_details(p_checkin_ids uuid[])
 RETURNS TABLE(checkin_id uuid, photo_key text, location_lat numeric, location_lng numeric, flags text[], review_reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    -- Materialized, because the planner would ask for the role once for each place where it is used.
    with viewer as materialized (
      select private.actor_id() as id, private.is_admin() as is_admin, private.blocked_users() as blocked
    ), seen as (
      select k.id, k.review_reason,
        case
          when (p.hidden_at is null or k.user_id = viewer.id or private.is_super_admin())
            and k.user_id <> all (viewer.blocked)
          then p.photo_key
        end as photo_key,
        p.location_lat, p.location_lng, coalesce(p.flags, '{}') as flags,
        viewer.is_admin or k.user_id = viewer.id as is_whole
      from viewer
      cross join nectar.workout_checkins k
      left join nectar.workout_checkin_photos p on p.checkin_id = k.id
      left join nectar.chains theirs on theirs.user_id = k.user_id and theirs.date = k.date
      left join nectar.chains mine on mine.user_id = viewer.id and mine.date = k.date
      where k.id = any ((select p_checkin_ids)::uuid[]) and (
        viewer.is_admin
        or k.user_id = viewer.id
        or k.user_id in (mine.before_user_id, mine.after_user_id)
        or viewer.id in (theirs.before_user_id, theirs.after_user_id)
        or mine.squad_id = theirs.squad_id
      )
    )
    select s.id, s.photo_key, case when s.is_whole then s.location_lat end,
      case when s.is_whole then s.location_lng end, case when s.is_whole then s.flags end,
      case when s.is_whole then s.review_reason end
    from seen s;
end $function$;

CREATE OR REPLACE FUNCTION private.check_ins_of(p_user_ids uuid[], p_date date)
 RETURNS SETOF private.seen_check_in
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    select s.*
    from private.seen_check_ins(array(
      select k.id from nectar.workout_checkins k where k.date = p_date and k.user_id = any ((select p_user_ids)::uuid[])
    )) s;
end $function$;

CREATE OR REPLACE FUNCTION private.check_ins_to_recount(p_days jsonb)
 RETURNS TABLE(id uuid, before_user_id uuid, has_earlier boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  return query
    select k.id, (array_agg(k.before_user_id order by k.before_user_id))[1] as before_user_id,
      bool_or(k.before_user_id is null) as has_earlier
    from (
      select k.id, r.user_id as before_user_id from jsonb_to_recordset(p_days) r (user_id uuid, date date)
      join nectar.chains c on c.before_user_id = r.user_id and c.date = r.date
      join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
      union all
      select k.id, null from jsonb_to_recordset(p_days) r (user_id uuid, date date)
      join nectar.workout_checkins k on k.user_id = r.user_id and k.date between r.date + 1 and r.date + 6
    ) k
    group by k.id;
end $function$;

CREATE OR REPLACE FUNCTION private.check_moment(p_moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (p_moment between clock_timestamp() - private.moment_tolerance() and clock_timestamp() + private.moment_tolerance())
    is not true
  then
    raise exception 'the moment is not now' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.chip_breakdown(p_status nectar.checkin_status, p_chain_status nectar.chain_status, p_is_early boolean, p_has_streak boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  v_counts constant integer := (p_status <> 'rejected')::integer;
  v_chain constant integer := v_counts * (p_chain_status = 'continued')::integer;
  v_early constant numeric := v_counts * case when p_is_early then 0.5 else 0 end;
  v_streak constant integer := v_counts * case when p_has_streak then 2 else 0 end;
  v_raw constant numeric := v_counts + v_chain + v_early + v_streak;
begin
  return jsonb_build_object('base', v_counts, 'chain', v_chain, 'early', v_early, 'streak', v_streak,
    'raw', v_raw, 'earned', floor(v_raw)::integer);
end $function$;

CREATE OR REPLACE FUNCTION private.claim_assistant_turn(p_user_id uuid, p_job nectar.assistant_job, p_claim uuid, p_finished_at timestamp with time zone, p_moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- Longer than the maximum duration of a function, so that the process of an expired claim has ended.
  v_lease constant interval := interval '6 minutes';
  v_today constant date := (p_moment at time zone 'UTC')::date;
begin
  -- Locked, so that an account is not deleted meanwhile.
  perform from nectar.profiles p where p.id = p_user_id for key share;
  if not found then return false; end if;
  insert into private.assistant_turns as t (user_id, job, day, attempts, claim, claimed_until)
  values (p_user_id, p_job, v_today, 1, p_claim, p_moment + v_lease) on conflict (user_id, job) do update set
    day = excluded.day,
    attempts = case when t.day = excluded.day then t.attempts else 0 end + 1,
    claim = excluded.claim,
    claimed_until = excluded.claimed_until,
    finished_at = case when t.day = excluded.day then t.finished_at end,
    analyses = case when t.day = excluded.day then t.analyses else 0 end,
    notes_since = case when t.day = excluded.day then t.notes_since end,
    notes_version = case when t.day = excluded.day then t.notes_version end,
    notes_fingerprint = case when t.day = excluded.day then t.notes_fingerprint end
  -- Not if the turn was claimed, or even ended, since it was looked at.
  where (t.claimed_until is null or t.claimed_until <= p_moment)
    and (t.day <> excluded.day or t.attempts < private.max_attempts_per_turn())
    and t.finished_at is not distinct from p_finished_at;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION private.claim_assistant_turns(p_job nectar.assistant_job, p_moment timestamp with time zone, p_after_user_id uuid, p_limit integer, p_up_to_user_id uuid DEFAULT NULL::uuid, OUT claim uuid, OUT claimed uuid[], OUT last_user uuid, OUT seen integer, OUT out_of_attempts integer, OUT is_last boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- The number of people per call is limited, so that a call stays short when many are done already.
  v_page_size constant integer := 200;
  v_today constant date := (p_moment at time zone 'UTC')::date;
  v_person record;
  v_count integer := 0;
begin
  claim := gen_random_uuid();
  claimed := '{}';
  seen := 0;
  out_of_attempts := 0;
  -- Each person is looked up separately, in the order of ids, until there are enough. With joins of whole tables, each
  -- call would read the people of all calls before it again.
  for v_person in
    select a.user_id, about.* from nectar.accounts a
    cross join lateral (
      select not p.is_ai as is_human,
        case p_job
          when 'daily_drop' then not exists (
            select from nectar.encouragement_drops d
            where d.recipient_id = a.user_id and d.date_sent = v_today and d.sender_id = private.system_user_id()
          )
          else case
            when t.day is distinct from v_today or t.finished_at is null then exists (
              select from private.notes e where e.user_id = a.user_id and e.created_at > private.notes_since(p_moment)
            )
            else t.analyses < private.max_analyses_per_day() and private.have_notes_changed(t, p_moment)
          end
        end as is_due,
        t.day = v_today and t.attempts >= private.max_attempts_per_turn() as is_out_of_attempts,
        t.claimed_until > p_moment as is_claimed,
        t.finished_at
      from nectar.profiles p
      left join private.assistant_turns t on t.user_id = a.user_id and t.job = p_job
      where p.id = a.user_id limit 1
    ) about
    where a.user_id > coalesce(p_after_user_id, '00000000-0000-0000-0000-000000000000')
      and a.user_id <= coalesce(p_up_to_user_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      and private.lets_assistant_serve(a, p_job)
    order by a.user_id limit v_page_size
  loop
    v_count := v_count + 1;
    last_user := v_person.user_id;
    continue when not v_person.is_human;
    seen := seen + 1;
    continue when not v_person.is_due;
    out_of_attempts := out_of_attempts + case when v_person.is_out_of_attempts then 1 else 0 end;
    continue when v_person.is_out_of_attempts or v_person.is_claimed;
    if private.claim_assistant_turn(v_person.user_id, p_job, claim, v_person.finished_at, p_moment) then
      claimed := claimed || v_person.user_id;
      exit when cardinality(claimed) = p_limit;
    end if;
  end loop;
  is_last := cardinality(claimed) < p_limit and v_count < v_page_size;
end $function$;

CREATE OR REPLACE FUNCTION private.claim_erasure_receipt(p_can_send boolean, p_moment timestamp with time zone)
 RETURNS TABLE(id uuid, address text, erased_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  -- After a day the provider would not recognize a repeated mail, and this one may have been sent.
  delete from private.erasure_receipts r where not p_can_send or r.first_tried_at <= p_moment - interval '23 hours';
  return query
    update private.erasure_receipts r
    set first_tried_at = coalesce(r.first_tried_at, p_moment), claimed_until = p_moment + interval '2 minutes'
    where r.id = (
      select d.id from private.erasure_receipts d where d.claimed_until is null or d.claimed_until <= p_moment
      order by d.erased_at limit 1 for update skip locked
    )
    returning r.id, r.address, r.erased_at;
end $function$;

CREATE OR REPLACE FUNCTION private.claim_export(p_id uuid, p_max_attempts integer)
 RETURNS TABLE(id uuid, user_id uuid, key text, created_at timestamp with time zone, claim uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_export nectar.exports;
begin
  update nectar.exports x
  set claim = gen_random_uuid(), attempts = x.attempts + 1,
    status = case when x.attempts < p_max_attempts then x.status else 'failed' end
  where x.id = p_id and x.status = 'pending' returning * into v_export;
  if v_export.status = 'pending' then
    return query select v_export.id, v_export.user_id, v_export.file_key, v_export.created_at::timestamptz, v_export.claim;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.claim_import(p_id uuid)
 RETURNS TABLE(id uuid, user_id uuid, source nectar.import_source, path text, version text, dry_run boolean, is_checked boolean, starts integer, time_zone text, first_day date, last_day date)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_import nectar.journal_imports;
begin
  if not private.lock_profile((select i.user_id from nectar.journal_imports i where i.id = p_id and i.status = 'running')) then
    return;
  end if;
  update nectar.journal_imports i set starts = i.starts + 1 where i.id = p_id and i.status = 'running'
  returning * into v_import;
  return query
    select v_import.id, v_import.user_id, v_import.source, v_import.path, v_import.version, v_import.dry_run, v_import.is_checked,
      v_import.starts, a.timezone, private.first_entry_day(), private.last_entry_day(a.user_id)
    from nectar.accounts a where a.user_id = v_import.user_id;
end $function$;

CREATE OR REPLACE FUNCTION private.claim_picture_upload(p_path text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.stored_files_to_remove f set remove_after = now()
  where f.store = 'private' and f.path = p_path and f.remove_after > now()
    and starts_with(p_path, 'picture-uploads/' || private.actor_id() || '/');
  return found;
end $function$;

CREATE OR REPLACE FUNCTION private.claim_push_deliveries(p_limit integer, p_lease_seconds integer, p_max_attempts integer, p_moment timestamp with time zone DEFAULT now())
 RETURNS TABLE(notification_id uuid, subscription_id uuid, attempt integer, to_send boolean, endpoint text, p256dh text, auth text, type nectar.notification_type, data jsonb, seconds_left integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  v_due_notifications uuid[];
  v_due_subscriptions uuid[];
begin
  select array_agg(t.notification_id), array_agg(t.subscription_id) into v_due_notifications, v_due_subscriptions
  from (
    select d.notification_id, d.subscription_id from private.push_deliveries d
    where d.finished_at is null and d.next_attempt_at <= p_moment order by d.next_attempt_at limit p_limit
    for update skip locked
  ) t;
  return query
  with decided as (
    select j.*, j.verdict is null and j.quiet_until is null as to_send
    from private.judge_push_deliveries(v_due_notifications, v_due_subscriptions, p_max_attempts, p_moment) j
  ), marked as (
    update private.push_deliveries d
    set outcome = c.verdict,
      finished_at = case when c.verdict is not null then p_moment end,
      attempts = d.attempts + c.to_send::integer,
      next_attempt_at = coalesce(c.quiet_until, p_moment + p_lease_seconds * interval '1 second'),
      waited_until = coalesce(c.quiet_until, d.waited_until)
    from decided c where d.notification_id = c.notification_id and d.subscription_id = c.subscription_id
  )
  select c.notification_id, c.subscription_id, c.attempts + 1, c.to_send,
    c.endpoint, c.p256dh, c.auth, c.type, c.data,
    ceil(extract(epoch from c.expires_at - p_moment))::integer
  from decided c;
end $function$;

CREATE OR REPLACE FUNCTION private.claim_received_email(p_moment timestamp with time zone)
 RETURNS TABLE(id uuid, provider_id text, is_verified boolean)
 LANGUAGE sql
 SET search_path TO ''
AS $function$
    update private.email_received r
    set content_attempts = r.content_attempts + 1,
        -- 2, 4, 8 minutes and so on, at most 6 hours: after a crash the claim runs out by itself.
        content_due_at = p_moment + least(interval '2 minutes' * power(2, least(r.content_attempts, 10)), interval '6 hours')
    where r.id = (
      select d.id from private.email_received d where d.content_due_at <= p_moment
      order by d.is_verified desc, d.content_due_at limit 1 for update skip locked
    )
    returning r.id, r.provider_id, r.is_verified
  $function$;

CREATE OR REPLACE FUNCTION private.clear_active_tone_pack()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update nectar.accounts a set active_tone_pack_id = null, updated_at = now()
    where a.active_tone_pack_id = new.id and not private.may_use_tone_pack(a.user_id, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.clear_blocked_tone_packs(p_block nectar.blocks)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.lock_profiles(array[p_block.user_id, p_block.blocked_id]);
  -- An activation at the same time locks the pack too, and sees the block if it comes second.
  perform from nectar.tone_packs p
    where p.owner_id in (p_block.user_id, p_block.blocked_id) and p.is_public order by p.id for no key update;
  update nectar.accounts a set active_tone_pack_id = null, updated_at = now()
    from nectar.tone_packs p
    where p.id = a.active_tone_pack_id
      and (a.user_id, p.owner_id) in ((p_block.user_id, p_block.blocked_id), (p_block.blocked_id, p_block.user_id))
      and not private.may_use_tone_pack(a.user_id, p.id);
end $function$;

CREATE OR REPLACE FUNCTION private.clear_removed_tone_pack()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_profiles(array(select a.user_id from nectar.accounts a where a.active_tone_pack_id = old.id));
  update nectar.accounts a set active_tone_pack_id = null, updated_at = now() where a.active_tone_pack_id = old.id;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.close_days(p_moment timestamp with time zone, p_max integer)
 RETURNS private.ended_day[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due nectar.chains[];
  v_next_people uuid[];
  v_leaving uuid[];
  v_ended private.ended_day[];
begin
  -- A check-in locks its chain row while it is written, so the statements after this one see those that were in time.
  -- Account deletion locks the profile and then its rows: profiles first here as well, and those that are locked are
  -- skipped.
  select array_agg(d.chain), array_agg(d.after_user_id) filter (where d.after_user_id is not null)
  into v_due, v_next_people
  from (
    select c as chain, c.after_user_id from private.open_days o
    join nectar.chains c on c.id = o.chain_id
    join nectar.profiles p on p.id = o.user_id
    where o.day_ends_at <= p_moment order by o.day_ends_at, o.user_id, o.chain_id limit p_max
    for key share of p skip locked for no key update of c skip locked for update of o skip locked
  ) d;
  v_leaving := array(
    select n.id from unnest(v_next_people) n (id)
    except
    select l.id from (select p.id from nectar.profiles p where p.id = any (v_next_people) for key share skip locked) l
  );
  v_ended := array(
    select row(
      c.id, c.user_id, c.date, c.after_user_id, c.team_color,
      private.day_state(k.status, c.window_starts_at, c.window_ends_at, c.day_ends_at, p_moment, 0)
    )::private.ended_day
    from unnest(v_due) c
    -- The limit makes this a search for each day; a join may read all check-ins for a batch of a few thousand.
    left join lateral (
      select k.status from nectar.workout_checkins k where k.user_id = c.user_id and k.date = c.date limit 1
    ) k on true
    -- A day whose next person is just being deleted is left to the next run.
    where (c.after_user_id = any (v_leaving)) is not true
  );
  delete from private.open_days o
  where o.day_ends_at <= p_moment and o.chain_id in (select e.chain_id from unnest(v_ended) e);
  return v_ended;
end $function$;

CREATE OR REPLACE FUNCTION private.confirmed_address(p_person uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select nullif(u.email, '') from auth.users u where u.id = p_person and u.email_confirmed_at is not null $function$;

CREATE OR REPLACE FUNCTION private.consume_quota(p_quota text, p_units integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_max_units integer;
  v_period text;
  v_start timestamptz(3);
begin
  select q.max_units, q.period into v_max_units, v_period from private.quotas() q where q.name = p_quota;
  if not found then raise exception 'unknown quota' using errcode = 'NX000', detail = 'service.unexpected'; end if;
  -- Fewer than one unit would lower the count.
  if coalesce(p_units, 0) < 1 then
    raise exception 'units must be positive' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  v_start := date_trunc(v_period, now(), 'UTC');
  -- One row per person and quota, so nothing piles up. A transaction that began in the previous period and had to wait
  -- counts in the period that the row has by now.
  insert into private.quota_uses as u (user_id, name, period_start, used)
  select v_actor, p_quota, v_start, p_units where p_units <= v_max_units
  on conflict (user_id, name) do update set
    period_start = greatest(u.period_start, excluded.period_start),
    used = excluded.used + case when u.period_start >= excluded.period_start then u.used else 0 end
  where excluded.used + case when u.period_start >= excluded.period_start then u.used else 0 end <= v_max_units;
  if found then return 0; end if;
  return greatest(1, ceil(extract(epoch from v_start + ('1 ' || v_period)::interval - clock_timestamp())))::integer;
end $function$;

CREATE OR REPLACE FUNCTION private.continue_suspension(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.suspend_user(p_user_id, greatest(a.suspended_until, private.kept_suspension(p_user_id)))
  from nectar.accounts a where a.user_id = p_user_id and private.kept_suspension(p_user_id) > now();
end $function$;

CREATE OR REPLACE FUNCTION private.copy_audiences()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  execute format(
    'insert into nectar.%1$s_contents (%1$s_id, user_id, metadata_audience_id, content_audience_id)
     values ($1, $2, $3, $4) on conflict (%1$s_id) do update
     set metadata_audience_id = excluded.metadata_audience_id, content_audience_id = excluded.content_audience_id',
    tg_argv[0]
  ) using new.id, new.user_id, new.metadata_audience_id, new.content_audience_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.copy_entry_audiences()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update nectar.journal_entry_contents
    set metadata_audience_id = new.metadata_audience_id, content_audience_id = new.content_audience_id
    where entry_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.count_comments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id uuid;
  v_change integer;
begin
  for v_id, v_change in
    select m.room_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed m
    where num_nonnulls(m.entry_id, m.goal_id) = 1 group by m.room_id order by m.room_id
  loop
    -- Content that is deleted with its author keeps its count: a row that is written in that transaction must refer to a
    -- profile.
    update nectar.journal_entry_contents c set comment_count = c.comment_count + v_change
    where c.entry_id = v_id and exists (select from nectar.profiles p where p.id = c.user_id);
    update nectar.goal_contents c set comment_count = c.comment_count + v_change
    where c.goal_id = v_id and exists (select from nectar.profiles p where p.id = c.user_id);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.count_email(p_recipient text, p_subject text, p_request text, p_moment timestamp with time zone)
 RETURNS TABLE(message_id uuid, is_suppressed boolean, retry_after integer)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_recipient_hash constant bytea := private.email_address_hash(p_recipient);
  v_was_taken boolean;
begin
  -- One at a time for each person, so that two requests do not both use the last mail of a quota.
  perform from nectar.accounts a where a.user_id = v_actor for no key update;

  -- After 24 hours the provider does not recognize the request any more, so it is a new mail.
  update private.email_messages m set request = null
  where m.user_id = v_actor and m.request = p_request and m.created_at <= p_moment - interval '24 hours';
  select m.id, m.delivery is not null and m.delivery_is_verified into message_id, v_was_taken
  from private.email_messages m
  where m.user_id = v_actor and m.request = p_request and m.recipient_hash = v_recipient_hash;

  if message_id is null then
    select ceil(extract(epoch from max(oldest.created_at + l.period) - p_moment))::integer into retry_after
    from private.email_limits() l
    cross join lateral (
      -- The mail that has to leave the period before there is room for another one.
      select m.created_at from private.email_messages m
      where m.user_id = v_actor
        and m.created_at > p_moment - l.period
        and (not l.is_per_recipient or m.recipient_hash = v_recipient_hash)
      order by m.created_at desc offset l.max_mails - 1 limit 1
    ) oldest;
    if retry_after is not null then
      retry_after := greatest(retry_after, 1);
      return next;
      return;
    end if;
  end if;

  retry_after := 0;
  -- A mail with a verified event was sent. Sending it to the provider again has no effect, so it need not be
  -- suppressed.
  is_suppressed := v_was_taken is not true and private.gets_no_mail(p_recipient, v_actor);
  if message_id is null then
    insert into private.email_messages as m (user_id, recipient, subject, state, request, created_at, updated_at)
    values (
      v_actor, p_recipient, p_subject, case when is_suppressed then 'suppressed' else 'pending' end::nectar.email_state,
      case when is_suppressed then null else p_request end, p_moment, p_moment
    )
    returning m.id into message_id;
  elsif not v_was_taken then
    update private.email_messages m
    set state = case when is_suppressed then 'suppressed' else 'pending' end::nectar.email_state,
        request = case when is_suppressed then null else m.request end,
        updated_at = p_moment
    where m.id = message_id;
  end if;
  return next;
end $function$;

CREATE OR REPLACE FUNCTION private.count_leaderboard(p_moment timestamp with time zone, p_first bigint DEFAULT 1000, p_distance bigint DEFAULT 256)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  -- Readers see the old checkpoints until this commits; another run waits.
  lock table private.leaderboard_checkpoints in share row exclusive mode;
  delete from private.leaderboard_checkpoints;
  insert into private.leaderboard_checkpoints (leaderboard_key, user_id, people_ahead, counted_at)
  select r.leaderboard_key, r.user_id, r.people_ahead, p_moment
  from (
    select b.leaderboard_key, b.user_id, row_number() over (order by b.leaderboard_key, b.user_id) - 1 as people_ahead
    from nectar.user_badges b where b.is_listed
  ) r
  where r.people_ahead >= p_first and (r.people_ahead - p_first) % p_distance = 0;
  get diagnostics v_count = row_count;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION private.count_moods(p_entries private.own_entry[])
 RETURNS private.mood_count[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select row((array_agg(e.mood order by e.written_at desc))[1], count(*))::private.mood_count
    from unnest(p_entries) e where e.mood is not null group by lower(e.mood) order by count(*) desc, lower(e.mood)
    limit 1000
  );
end $function$;

CREATE OR REPLACE FUNCTION private.count_pictures()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- In a statement of its own, because one that waits counts what was there before.
  perform from nectar.journal_entry_contents c where c.entry_id in (old.entry_id, new.entry_id) for no key update;
  update nectar.journal_entry_contents c
  set picture_count = (select count(*) from nectar.entry_pictures p where p.entry_id = c.entry_id)
  where c.entry_id in (old.entry_id, new.entry_id);
  if tg_op = 'DELETE' then
    update nectar.entry_pictures p set position = p.position - 1
    where p.entry_id = old.entry_id and p.position > old.position;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.count_players(p_date date, p_at timestamp with time zone, p_grace_minutes integer)
 RETURNS TABLE(color nectar.team_color, total integer, completed integer, failed integer, chips integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select c.team_color, count(*)::integer,
      (count(*) filter (where p.state = 'completed'))::integer,
      (count(*) filter (where p.state = 'failed'))::integer,
      coalesce(sum(k.battle_chips_earned) filter (where k.status = 'verified'), 0)::integer
    from (select h.user_id, h.team_color, h.window_ends_at, h.day_ends_at from nectar.chains h where h.date = p_date) c
    full join (
      select w.user_id, w.status, w.battle_chips_earned from nectar.workout_checkins w where w.date = p_date
    ) k using (user_id)
    -- When the windows start makes no difference here: before that, a day has neither succeeded nor failed.
    cross join lateral (
      select private.day_state(k.status, null, c.window_ends_at, c.day_ends_at, p_at, p_grace_minutes) as state
    ) p
    group by c.team_color;
end $function$;

CREATE OR REPLACE FUNCTION private.count_readers(p_metadata_audience_id uuid, p_content_audience_id uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_author constant uuid := private.actor_id();
  v_groups constant uuid[] := array_remove(
    array[p_metadata_audience_id, p_content_audience_id], private.public_audience()
  );
  -- Members of a group do not see content whose metadata they could see only by its being public.
  v_blocked constant uuid[] := case
    when p_metadata_audience_id = private.public_audience() then private.blocked_users() else '{}'
  end;
begin
  if v_groups = '{}' then return null; end if;
  return (
    select count(*)
    from (
      select from private.audience_members m
      where m.audience_id = v_groups[1] and m.user_id <> v_author and m.user_id <> all (v_blocked)
        and (
          v_groups[2] = v_groups[1] or v_groups[2] is null
          or exists (select from private.audience_members o where o.audience_id = v_groups[2] and o.user_id = m.user_id)
        )
        -- Scalar sub-selects, which search these large tables and never read them as a whole.
        and not (select p.is_ai from nectar.profiles p where p.id = m.user_id)
        and (select r.role from nectar.user_roles r where r.user_id = m.user_id) is distinct from 'super_admin'
      limit private.preview_limit() + 1
    ) r
  );
end $function$;

CREATE OR REPLACE FUNCTION private.count_sent_drop()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_may_climb boolean;
begin
  if new.sender_id = private.system_user_id() then return null; end if;
  update nectar.user_badges b
  set total_drops_sent = b.total_drops_sent + 1,
    run_days = case
      when new.date_sent <= b.last_sent_on then b.run_days
      when new.date_sent = b.last_sent_on + 1 then b.run_days + 1
      else 1
    end,
    last_sent_on = greatest(new.date_sent, b.last_sent_on)
  where b.user_id = new.sender_id
  returning exists (
    select from nectar.badge_definitions d
    where d.level > b.level and d.min_engagement_increases <= b.engagement_increases
  ) into v_may_climb;
  if v_may_climb then perform private.recalculate_badges(array[new.sender_id], new.created_at); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.count_streak(p_goal_id uuid, OUT streak integer, OUT longest_streak integer, OUT ends_on date)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_weekdays smallint[];
  v_first date;
  v_last date;
  v_end date;
begin
  select g.weekdays, least(g.started_on, k.first), k.last into v_weekdays, v_first, v_last
  from nectar.goals g
  cross join lateral (
    select min(c.check_in_date) as first, max(c.check_in_date) as last from nectar.goal_check_ins c
    where c.goal_id = g.id
  ) k
  where g.id = p_goal_id;
  -- A goal that is active has a due weekday within a week after its last check-in and its last pause.
  select greatest(v_last, max(p.until_date)) + 7 into v_end from nectar.goal_pauses p where p.goal_id = p_goal_id;
  with outcomes as (
    select c.check_in_date as date, bool_or(c.status = 'completed') as is_completed,
      bool_or(c.status = 'missed') as is_missed
    from nectar.goal_check_ins c where c.goal_id = p_goal_id group by c.check_in_date
  ),
  days as (
    select date, o.is_completed, coalesce(o.is_missed and not o.is_completed, true) as is_missed from outcomes o
    full join (
      select d::date as date from generate_series(v_first, v_end, interval '1 day') d where v_weekdays is not null
    ) d using (date)
    where private.is_due(v_weekdays, date)
      and not exists (
        select from nectar.goal_pauses p
        where p.goal_id = p_goal_id and p.from_date <= date and coalesce(p.until_date > date, true)
      )
  ),
  runs as (
    select count(*) filter (where d.is_completed) as days, d.run
    from (
      select is_completed, count(*) filter (where is_missed) over (order by date) as run from days where date <= v_last
    ) d
    group by d.run
  )
  select coalesce((array_agg(r.days order by r.run desc))[1], 0), coalesce(max(r.days), 0),
    (select min(d.date) from days d where d.date > v_last)
  into streak, longest_streak, ends_on from runs r;
end $function$;

CREATE OR REPLACE FUNCTION private.count_tags(p_entries private.own_entry[])
 RETURNS private.tag_count[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select row((array_agg(t.tag order by e.written_at desc))[1], count(*))::private.tag_count
    from unnest(p_entries) e
    cross join lateral unnest(e.tags, e.tag_keys) t (tag, key)
    group by t.key order by count(*) desc, t.key
    limit 20
  );
end $function$;

CREATE OR REPLACE FUNCTION private.count_week(p_week date, p_moment timestamp with time zone, p_grace_minutes integer, p_user_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_changed integer;
  v_over nectar.weekly_workout_stats[];
  v_people_over uuid[];
begin
  perform private.lock_profiles(p_user_ids);
  with days as (
    select c.user_id, c.team_color,
      private.day_state(
        k.status, c.window_starts_at, c.window_ends_at, c.day_ends_at, p_moment, p_grace_minutes
      ) as state,
      case when k.status = 'verified' then k.battle_chips_earned else 0 end as chips,
      c.day_ends_at <= p_moment as is_over
    from nectar.chains c
    -- The limits make these joins searches for each row, instead of a comparison of each with each, or of all check-ins.
    left join lateral (
      select k.status, k.battle_chips_earned from nectar.workout_checkins k
      where k.user_id = c.user_id and k.date = c.date limit 1
    ) k on true
    where c.date between p_week and p_week + 6 and c.user_id = any (p_user_ids)
  ), sums as (
    select d.user_id, max(d.team_color) as team_color, count(*)::integer as planned,
      (count(*) filter (where d.state = 'completed'))::integer as completed,
      (count(*) filter (where d.state = 'failed'))::integer as failed,
      (count(*) filter (where d.state in ('not_started', 'pending')))::integer as pending,
      sum(d.chips)::integer as chips, bool_and(d.is_over) as is_over
    from days d group by d.user_id
  ), written as (
    insert into nectar.weekly_workout_stats as s (
      week_start_date, user_id, team_color, days_planned, completed_count, failed_count, pending_count, chips_earned,
      is_over, updated_at
    )
    select p_week, u.user_id, u.team_color, u.planned, u.completed, u.failed, u.pending, u.chips, u.is_over, p_moment
    from sums u
    left join lateral (
      select * from nectar.weekly_workout_stats o where o.week_start_date = p_week and o.user_id = u.user_id limit 1
    ) o on true
    -- Nearly all weeks that are counted again have not changed, and a conflict would lock their rows.
    where (o.team_color, o.days_planned, o.completed_count, o.failed_count, o.pending_count, o.chips_earned)
      is distinct from (u.team_color, u.planned, u.completed, u.failed, u.pending, u.chips)
    on conflict (week_start_date, user_id) do update
      set team_color = excluded.team_color, days_planned = excluded.days_planned,
        completed_count = excluded.completed_count, failed_count = excluded.failed_count,
        pending_count = excluded.pending_count, chips_earned = excluded.chips_earned, updated_at = excluded.updated_at
      where (s.team_color, s.days_planned, s.completed_count, s.failed_count, s.pending_count, s.chips_earned)
        is distinct from (excluded.team_color, excluded.days_planned, excluded.completed_count,
          excluded.failed_count, excluded.pending_count, excluded.chips_earned)
    -- A row that was inserted has no xmax; one that was updated was locked before.
    returning s, s.xmax = 0 as is_first
  )
  select count(*), array_agg(w.s) filter (where w.is_first and (w.s).is_over),
    array(select u.user_id from sums u where u.is_over)
  into v_changed, v_over, v_people_over
  from written w;
  perform private.end_weeks(p_week, v_people_over, v_over);
  return v_changed;
end $function$;

CREATE OR REPLACE FUNCTION private.count_words(p_text text)
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  -- Written out, because what \s and \w match beyond ASCII depends on the locale of the database.
  v_spaces constant text := '\s\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000';
  v_marks constant text := '!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B4\u00B6-\u00B9\u00BB-\u00BF\u2010-\u2027\u2030-\u205E'
    || '\u3001-\u3004\u3008-\u3020\u3030\u30FB\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65';
  v_characters constant text := '\u3005-\u3007\u3041-\u3096\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF\u31F0-\u31FF'
    || '\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF';
begin
  return regexp_count(
    p_text,
    '[' || v_characters || ']|[^' || v_spaces || v_marks || v_characters || '][^' || v_spaces || v_characters || ']*'
  );
end $function$;

CREATE OR REPLACE FUNCTION private.create_appeal(p_decision_id uuid, p_reason text, p_moment timestamp with time zone)
 RETURNS private.sent_appeal
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_decision nectar.moderation_decisions;
  v_appeal nectar.moderation_appeals;
begin
  perform private.check_moment(p_moment);
  select * into v_decision from nectar.moderation_decisions d
  where d.id = p_decision_id and d.owner_id = private.actor_id() and d.decision <> 'dismiss';
  if not found then
    raise exception 'no such decision' using errcode = 'NX000', detail = 'moderation.decision_not_found';
  end if;
  if p_moment > private.appeal_until(v_decision.decided_at) then
    raise exception 'too late' using errcode = 'NX000', detail = 'appeal.too_late';
  end if;
  insert into nectar.moderation_appeals (decision_id, owner_id, reason, created_at)
  values (v_decision.id, v_decision.owner_id, p_reason, p_moment) on conflict (decision_id) do nothing
  returning * into v_appeal;
  if not found then raise exception 'appealed already' using errcode = 'NX000', detail = 'appeal.already_made'; end if;
  return private.appeal_to_send(v_appeal);
end $function$;

CREATE OR REPLACE FUNCTION private.create_block(p_user_id uuid, p_moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  if p_user_id = v_actor then
    raise exception 'a block of oneself' using errcode = 'NX000', detail = 'block.self_block';
  end if;
  if p_user_id = private.system_user_id() then
    raise exception 'a block of the assistant' using errcode = 'NX000', detail = 'block.system_user';
  end if;
  if not private.lock_profile(p_user_id) then
    raise exception 'no such person' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform private.lock_pair(v_actor, p_user_id, false);
  insert into nectar.blocks (blocked_id, is_named)
  values (p_user_id, not (private.read_user(p_user_id, p_moment) is null)) on conflict do nothing;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION private.create_email_message(p_recipient text, p_subject text, p_request text, p_moment timestamp with time zone)
 RETURNS TABLE(message_id uuid, reply_to text, is_suppressed boolean, retry_after integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_own_address text;
begin
  perform private.check_moment(p_moment);
  if not private.lock_profile(v_actor) then return; end if;
  v_own_address := private.confirmed_address(v_actor);
  if v_own_address is null then
    raise exception 'no confirmed address' using errcode = 'NX000', detail = 'email.sender_not_confirmed';
  end if;
  if not private.may_email(
    v_actor, v_own_address, p_recipient, (select p.recipient_policy from private.email_policy p)
  ) then
    raise exception 'the recipient policy forbids it' using errcode = 'NX000', detail = 'email.recipient_not_allowed';
  end if;
  return query
    select c.message_id, v_own_address, c.is_suppressed, c.retry_after
    from private.count_email(p_recipient, p_subject, p_request, p_moment) c;
end $function$;

CREATE OR REPLACE FUNCTION private.create_entry(p_entry jsonb)
 RETURNS nectar.journal_entries
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_entry nectar.journal_entries;
begin
  insert into nectar.journal_entries (
    notebook_id, title, mood, tags, entry_date, ai_excluded, comments_enabled,
    metadata_visibility, content_visibility, inherit_visibility, team_id, org_id
  )
  select
    e.notebook_id, e.title, e.mood, e.tags, coalesce(e.entry_date, private.today()),
    coalesce(e.ai_excluded, (select n.ai_excluded_default from nectar.notebooks n where n.id = e.notebook_id), false),
    e.comments_enabled, e.metadata_visibility, e.content_visibility, e.inherit_visibility, e.team_id, e.org_id
  from jsonb_to_record(p_entry) e (
    notebook_id uuid, title text, mood text, tags text[], entry_date date, ai_excluded boolean,
    comments_enabled boolean, metadata_visibility nectar.visibility, content_visibility nectar.visibility,
    inherit_visibility boolean, team_id uuid, org_id uuid
  )
  returning * into v_entry;
  insert into nectar.journal_entry_contents (entry_id, content) values (v_entry.id, p_entry ->> 'content');
  return v_entry;
end $function$;

CREATE OR REPLACE FUNCTION private.create_export()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id uuid;
begin
  insert into nectar.exports (user_id) values (private.actor_id()) returning id into v_id;
  return v_id;
exception when unique_violation then
  raise exception 'an export is pending' using errcode = 'NX000', detail = 'export.in_progress';
end $function$;

CREATE OR REPLACE FUNCTION private.create_import(p_source nectar.import_source, p_size integer)
 RETURNS nectar.journal_imports
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_import nectar.journal_imports;
begin
  insert into nectar.journal_imports (id, user_id, source, size, path)
  select f.id, private.actor_id(), p_source, p_size, f.path from private.expect_new_file('imports') f
  returning * into v_import;
  perform private.keep_archive(v_import.path, now() + interval '1 day');
  return v_import;
end $function$;

CREATE OR REPLACE FUNCTION private.create_report(p_report jsonb, p_moment timestamp with time zone)
 RETURNS private.report_receipt
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_given record;
  v_thing record;
  v_report nectar.reports;
  v_wait_seconds integer := 0;
  v_is_new boolean;
begin
  perform private.check_moment(p_moment);
  select * into v_given
  from jsonb_to_record(p_report) r (target_type text, target_id uuid, reason nectar.report_reason, details text);
  v_thing := private.reportable_thing(v_given.target_type, v_given.target_id, p_moment);
  if v_thing.owner_id = v_actor then
    raise exception 'a thing of the caller' using errcode = 'NX000', detail = 'report.own_thing';
  end if;
  if v_thing.is_visible is not true or not private.lock_profile(v_thing.owner_id) then
    raise exception 'no such thing' using errcode = 'NX000', detail = 'report.target_not_found';
  end if;
  if v_given.target_type in ('entry', 'goal') then perform private.log_reads(array[v_given.target_id], true); end if;
  insert into nectar.reports (reporter_id, owner_id, target_type, target_id, reason, details, excerpt)
  values (
    v_actor, v_thing.owner_id, v_given.target_type, v_given.target_id, v_given.reason, v_given.details, v_thing.excerpt
  )
  on conflict (reporter_id, target_id, target_type) where status = 'open' do nothing returning * into v_report;
  v_is_new := found;
  if v_is_new then
    v_wait_seconds := private.consume_quota('report', 1);
  else
    select * into v_report from nectar.reports r
    where r.reporter_id = v_actor and r.target_id = v_given.target_id and r.target_type = v_given.target_type
    order by r.created_at desc, r.id desc limit 1;
  end if;
  return row(
    row(
      v_report.id, v_report.reason, v_report.details, v_report.status,
      private.rfc3339(v_report.created_at), private.rfc3339(v_report.decided_at)
    )::private.sent_report,
    v_is_new, v_wait_seconds
  )::private.report_receipt;
end $function$;

CREATE OR REPLACE FUNCTION private.create_synthetic_users(p_people jsonb, p_seed text)
 RETURNS SETOF nectar.synthetic_users
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin creates synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if (jsonb_array_length(p_people) <= 1000) is not true then
    raise exception 'number out of range' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  return query
    select *
    from private.insert_synthetic_users(
      (
        select jsonb_agg(p.person || jsonb_build_object('id', gen_random_uuid()))
        from jsonb_array_elements(p_people) p (person)
      ),
      p_seed
    );
end $function$;

CREATE OR REPLACE FUNCTION private.create_token(p_name text, p_scopes nectar.token_scope[], p_token_hash bytea, p_hint text, p_days integer)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_id uuid;
begin
  -- One token of a person at a time, so that all are counted.
  perform from nectar.accounts a where a.user_id = v_actor for no key update;
  if (select count(*) from nectar.personal_tokens t where t.user_id = v_actor and t.expires_at > now()) >= 20 then
    raise exception 'too many tokens' using errcode = 'NX000', detail = 'token.too_many';
  end if;
  insert into nectar.personal_tokens (user_id, name, scopes, token_hash, hint, expires_at)
  values (v_actor, p_name, p_scopes, p_token_hash, p_hint, now() + p_days * interval '1 day') returning id into v_id;
  perform private.notify(v_actor, 'token_created', jsonb_build_object('token_id', v_id));
  return v_id;
end $function$;

CREATE OR REPLACE FUNCTION private.current_run(p_run_days integer, p_last_sent_on date, p_moment timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_last_sent_on >= (((p_moment AT TIME ZONE 'UTC'::text))::date - 1)) THEN p_run_days ELSE 0 END;

CREATE OR REPLACE FUNCTION private.badge_stats(p_badge nectar.user_badges, p_moment timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('total_drops_sent', (p_badge).total_drops_sent, 'engagement_increases', (p_badge).engagement_increases, 'success_rate', (p_badge).success_rate, 'bonus_drops_earned', (p_badge).bonus_drops_earned, 'consecutive_days', private.current_run((p_badge).run_days, (p_badge).last_sent_on, p_moment));

CREATE OR REPLACE FUNCTION private.current_streak(p_user_id uuid, p_streak integer, p_ends_on date, p_moment timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.check_moment(p_moment);
  return case when p_ends_on < private.date_of(p_user_id, p_moment) then 0 else p_streak end;
end $function$;

CREATE OR REPLACE FUNCTION private.date_of(p_user_id uuid, p_moment timestamp with time zone)
 RETURNS date
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return coalesce(
    (
      select (p_moment at time zone private.known_zone(a.timezone))::date
      from nectar.accounts a where a.user_id = p_user_id
    ),
    (p_moment at time zone 'UTC')::date
  );
end $function$;

CREATE OR REPLACE FUNCTION private.day_state(p_status nectar.checkin_status, p_window_starts_at timestamp with time zone, p_window_ends_at timestamp with time zone, p_day_ends_at timestamp with time zone, p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS nectar.day_state
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (p_status = 'verified'::nectar.checkin_status) THEN 'completed'::nectar.day_state WHEN (p_status = 'pending'::nectar.checkin_status) THEN 'pending'::nectar.day_state WHEN (p_status = 'rejected'::nectar.checkin_status) THEN 'failed'::nectar.day_state WHEN (p_moment < p_window_starts_at) THEN 'not_started'::nectar.day_state WHEN ((p_moment < p_day_ends_at) AND (p_moment <= (p_window_ends_at + make_interval(mins => p_grace_minutes)))) THEN 'pending'::nectar.day_state ELSE 'failed'::nectar.day_state END;

CREATE OR REPLACE FUNCTION private.chain_status(p_before_user_id uuid, p_date date, p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS SETOF nectar.chain_status
 LANGUAGE sql
 STABLE ROWS 1
BEGIN ATOMIC
 SELECT
         CASE
             WHEN (EXISTS ( SELECT
                FROM (nectar.chains b
                  LEFT JOIN nectar.workout_checkins k ON (((k.user_id = b.user_id) AND (k.date = b.date) AND (k.status <> 'rejected'::nectar.checkin_status))))
               WHERE ((b.user_id = chain_status.p_before_user_id) AND (b.date = chain_status.p_date) AND (k.id IS NULL) AND ((private.day_state(NULL::nectar.checkin_status, b.window_starts_at, b.window_ends_at, b.day_ends_at, chain_status.p_moment, chain_status.p_grace_minutes) = 'failed'::nectar.day_state) OR (NOT (EXISTS ( SELECT
                        FROM private.open_days o
                       WHERE ((o.day_ends_at = b.day_ends_at) AND (o.user_id = b.user_id) AND (o.chain_id = b.id)))))))
              OFFSET 0)) THEN 'broken'::nectar.chain_status
             ELSE 'continued'::nectar.chain_status
         END AS "case";
END;

CREATE OR REPLACE FUNCTION private.decline_invitation(p_invitation_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_invitation constant nectar.invitations := private.find_invitation(null, p_invitation_id, false);
begin
  -- Unless it was accepted or revoked in the meantime.
  update nectar.invitations i set revoked_at = now()
  where i.id = v_invitation.id
    and private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending';
  if not found then
    raise exception 'no such invitation' using errcode = 'NX000', detail = 'invitation.not_found';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.decline_organization(p_org_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_organization nectar.organizations;
begin
  -- Also the profiles of all members: one of them is the next owner.
  perform private.lock_group(p_org_id);
  select * into v_organization from nectar.organizations o where o.id = p_org_id and o.owner_id = v_actor;
  if not found then
    raise exception 'only the owner may decline' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if (v_organization.received_at > now() - interval '14 days') is not true then
    raise exception 'not received in time' using errcode = 'NX000', detail = 'organization.not_received';
  end if;
  return private.hand_over_organization(
    p_org_id, v_organization.received_from,
    array(
      select m.user_id from nectar.organization_members m
      where m.org_id = p_org_id and m.user_id <> v_actor and private.is_human(m.user_id)
    ),
    v_actor
  );
end $function$;

CREATE OR REPLACE FUNCTION private.delete_accounts_one_at_a_time()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.wait_for_account_deletions();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_address()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from nectar.invitations i where lower(i.email) = lower(old.email);
  perform private.delete_mail_of_address(old.email);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_comments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_is_kept constant boolean := case tg_table_name
    when 'journal_entries' then exists (select from nectar.trashed_entries t where t.id = old.id)
    when 'trashed_entries' then exists (select from nectar.journal_entries e where e.id = old.id)
    else false
  end;
begin
  if not v_is_kept then
    perform private.lock_profiles(array(select m.sender_id from nectar.team_messages m where m.room_id = old.id));
    -- Waits for comments that are being written, so that none is left.
    perform from nectar.journal_entry_contents c where c.entry_id = old.id for update;
    perform from nectar.goal_contents c where c.goal_id = old.id for update;
    delete from nectar.team_messages m where m.room_id = old.id;
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_empty_squad()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from nectar.squads s where s.id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_findings()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update nectar.journal_entry_contents c set found_mood = null where c.entry_id = new.id and c.found_mood is not null;
  delete from nectar.note_analyses n
    where n.user_id = new.user_id
      and n.id = any (array(
        select s.analysis_id from nectar.note_analysis_sources s where s.user_id = new.user_id and s.entry_id = new.id
      ));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_images_of_purchases()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.delete_unused_images(array(select distinct r.pack_id from removed r where r.refunded_at is null));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_mail_of_address(p_address text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.email_messages m set recipient = 'erased', erased_hash = m.recipient_hash
  where m.recipient_hash = private.email_address_hash(p_address);
  delete from private.email_received r where private.is_mailbox_of(r.sender, p_address);
  update private.email_received r
  set recipients = array(
    select t.recipient from unnest(r.recipients) with ordinality t (recipient, number)
    where not private.is_mailbox_of(t.recipient, p_address) order by t.number
  )
  where exists (select from unnest(r.recipients) t (recipient) where private.is_mailbox_of(t.recipient, p_address));
end $function$;

CREATE OR REPLACE FUNCTION private.delete_message(p_message_id uuid, p_team_id uuid, p_entry_id uuid, p_goal_id uuid, p_date date, OUT sender_id uuid, OUT is_deleted boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_author uuid;
  v_may_delete boolean;
begin
  select m.sender_id, t.user_id,
    private.actor_id() in (m.sender_id, t.user_id)
      or m.team_id in (select private.my_administered_team_ids())
      or private.is_admin()
  into sender_id, v_author, v_may_delete
  from nectar.team_messages m
  left join nectar.squads s on s.id = m.squad_id
  cross join private.thing(m.entry_id, m.goal_id) t
  where m.id = p_message_id
    and (m.team_id = p_team_id or m.entry_id = p_entry_id or m.goal_id = p_goal_id or s.date = p_date);
  is_deleted := false;
  if v_may_delete then
    perform private.lock_profiles(array[sender_id, v_author]);
    delete from nectar.team_messages m where m.id = p_message_id returning m.sender_id into sender_id;
    is_deleted := found;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_sign_ins(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Not every installation has Supabase Auth.
  if has_table_privilege(to_regclass('auth.flow_state'), 'delete') then
    delete from auth.flow_state f where f.user_id = p_user_id;
  end if;
  if has_table_privilege(to_regclass('auth.audit_log_entries'), 'delete') then
    delete from auth.audit_log_entries l
    where p_user_id::text in (l.payload ->> 'actor_id', l.payload -> 'traits' ->> 'user_id');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_stored_responses()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.idempotency_keys k using deleted d where k.resource_id = d.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_stored_responses_of_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.idempotency_keys k
  using deleted d
  where k.user_id = d.user_id and k.route = 'POST /api/blocks'
    and k.body::json #>> '{block,user_id}' = d.blocked_id::text;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_stored_responses_of_invitations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.idempotency_keys k using deleted d where k.resource_id = any (array[d.id, d.invited_by]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_synthetic_user(p_user_id uuid, p_moment timestamp with time zone)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_linked uuid[];
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin deletes synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  perform private.check_moment(p_moment);
  perform private.wait_for_account_deletions();
  -- Matching locks profiles: this waits until a run has been written, so that the next statement sees its result.
  perform from nectar.profiles p join nectar.synthetic_users s on s.user_id = p.id where p.id = p_user_id for update of p;
  if not found then return null; end if;
  v_linked := array(
    select distinct o.id from nectar.chains c
    left join nectar.squads q on q.id = c.squad_id
    cross join lateral unnest(array[c.before_user_id, c.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id]) as o (id)
    where c.user_id = p_user_id and c.window_ends_at > p_moment and o.id <> p_user_id order by o.id
  );
  delete from auth.users u where u.id = p_user_id;
  return v_linked;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_tone_pack(p_pack_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Locks the profiles before the pack and the shares, as account deletion does, to avoid deadlocks.
  perform private.lock_profiles(array(
    select p.owner_id from nectar.tone_packs p where p.id = p_pack_id
    union select s.user_id from nectar.tone_pack_shares s where s.pack_id = p_pack_id
    union select a.user_id from nectar.accounts a where a.active_tone_pack_id = p_pack_id
  ));
  update nectar.tone_packs set deleted_at = now(), is_public = false
    where id = p_pack_id and owner_id = private.actor_id() and deleted_at is null;
  if not found then return false; end if;
  delete from nectar.tone_pack_shares where pack_id = p_pack_id;
  perform private.delete_unused_images(array[p_pack_id]);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.delete_unused_images(p_pack_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Deleting a pack and ending its last purchase both do this last, so that the later one sees the result of the
  -- earlier one.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('images of tone pack ' || p.pack, 0))
  from unnest(p_pack_ids) p (pack);
  delete from nectar.tone_pack_images i
  where i.pack_id = any (p_pack_ids)
    and exists (select from nectar.tone_packs p where p.id = i.pack_id and p.deleted_at is not null)
    and not exists (select from nectar.tone_pack_purchases b where b.pack_id = i.pack_id and b.refunded_at is null);
end $function$;

CREATE OR REPLACE FUNCTION private.deleted_groups(p_team_id uuid, p_org_id uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array_remove(
    array[
      case when not exists (select from nectar.teams t where t.id = p_team_id) then p_team_id end,
      case when not exists (select from nectar.organizations o where o.id = p_org_id) then p_org_id end
    ],
    null
  );
end $function$;

CREATE OR REPLACE FUNCTION private.discard_archive(p_import nectar.journal_imports)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Until an hour after the import was created, an upload to its address may begin.
  perform private.keep_archive(p_import.path, greatest(now(), p_import.created_at + interval '2 hours'));
end $function$;

CREATE OR REPLACE FUNCTION private.discard_export()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and new.status not in ('failed', 'expired') then return null; end if;
  perform private.discard_file('private', old.file_key);
  if tg_op = 'DELETE' then
    delete from private.idempotency_keys k where k.resource_id = old.id;
    -- The file may still be uploaded.
    update private.stored_files_to_remove f set remove_after = now() + interval '1 hour'
    where f.store = 'private' and f.path = old.file_key and old.status = 'pending';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.discard_file(p_store text, p_path text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.stored_files_to_remove (store, path, remove_after) values (p_store, p_path, now())
  on conflict on constraint stored_files_to_remove_pkey do update set remove_after = now();
end $function$;

CREATE OR REPLACE FUNCTION private.discard_import()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.discard_archive(old);
  delete from private.idempotency_keys k where k.resource_id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.discard_mosaic()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.image_key is distinct from old.image_key then
    -- Signed addresses of it work for an hour.
    perform private.expect_file('private', old.image_key);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.earliest_entries_of_notebook(p_notebook_id uuid, p_scope text, p_after_date date, p_after timestamp with time zone, p_after_id uuid, p_until date, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
        declare
          v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
        begin
          return array(
            select r.id from nectar.journal_entries r
            where r.notebook_id = p_notebook_id
              and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
              and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id) and r.entry_date <= p_until
            order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
          );
        end
        $function$;

CREATE OR REPLACE FUNCTION private.earliest_public_journal_entries(p_blocked uuid[], p_after_date date, p_after timestamp with time zone, p_after_id uuid, p_until date, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
      declare
        v_day date := p_after_date;
        v_ids uuid[];
      begin
        v_ids := array(
          select n.id
          from (
            select r.id, r.user_id from nectar.journal_entries r
            where r.metadata_audience_id = private.public_audience()
              and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id) and r.entry_date <= p_until
            order by r.entry_date asc, r.created_at asc, r.id asc limit (select 20 * p_max)
          ) n
          where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
        );
        if cardinality(v_ids) = p_max or not exists (
          select from nectar.journal_entries r
          where r.metadata_audience_id = private.public_audience()
            and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id) and r.entry_date <= p_until
          order by r.entry_date asc, r.created_at asc, r.id asc offset (select 20 * p_max)
        ) then
          return v_ids;
        end if;
        -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
        -- day by day, the index is searched between their ids.
        v_ids := '{}';
        while cardinality(v_ids) < p_max and not v_day > p_until loop
          v_ids := v_ids || array(
            select r.id
            from (
              select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
              from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
            ) others
            cross join lateral (
              select r.id, r.entry_date, r.created_at from nectar.journal_entries r
              where r.metadata_audience_id = private.public_audience()
                and r.entry_date = v_day
                and r.user_id > others.after_id and r.user_id < others.before_id
                and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id) and r.entry_date <= p_until
              offset 0
            ) r
            order by r.entry_date asc, r.created_at asc, r.id asc limit (select p_max - cardinality(v_ids))
          );
          v_day := (
            select r.entry_date from nectar.journal_entries r
            where r.metadata_audience_id = private.public_audience()
              and r.entry_date > v_day
            order by r.entry_date asc limit 1
          );
        end loop;
        return v_ids;
      end
      $function$;

CREATE OR REPLACE FUNCTION private.earliest_visible_journal_entries(p_scope text, p_after_date date, p_after timestamp with time zone, p_after_id uuid, p_until date, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
      declare
        v_reader constant uuid := private.actor_id();
        v_shows_everything constant boolean := p_scope = 'all' and private.is_super_admin();
        v_audiences uuid[] := private.audiences_of_scope(p_scope);
        -- Null unless the reader has a block, and the list shows public rows.
        v_blocked constant uuid[] := case
          when p_scope in ('all', 'public') and v_reader is not null and private.public_audience() <> all (v_audiences)
            then private.blocked_users()
        end;
        v_public uuid[];
        v_ids uuid[];
      begin
        -- A reader of many audiences sees much of what is new, so the newest rows of everyone come first. What decides about
        -- the plan is in sub-selects, or the planner makes a new one in every call.
        if v_shows_everything or cardinality(v_audiences) > 20 then
          v_ids := array(
            select n.id
            from (
              select r.id, r.user_id, r.metadata_audience_id from nectar.journal_entries r
              where (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id) and r.entry_date <= p_until order by r.entry_date asc, r.created_at asc, r.id asc
              limit (select case when v_shows_everything then p_max else 20 * p_max end)
            ) n
            where (select v_shows_everything)
              or (p_scope in ('all', 'own') and n.user_id = v_reader)
              or (
                n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader)
              )
              or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
            limit (select p_max)
          );
          if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
          -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
          -- for one row, and only N of them for more.
          v_audiences := array(
            select a.id from unnest(v_audiences) a (id)
            cross join lateral (
              select r.id, r.entry_date, r.created_at from nectar.journal_entries r
              where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id) and r.entry_date <= p_until
              order by r.entry_date asc, r.created_at asc, r.id asc limit 1
            ) r
            order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
          );
        end if;
        if v_blocked is not null then v_public := private.earliest_public_journal_entries(v_blocked, p_after_date, p_after, p_after_id, p_until, p_max); end if;
        return array(
          select r.id
          from (
            (
              select r.id, r.entry_date, r.created_at from nectar.journal_entries r
              where p_scope in ('all', 'own') and r.user_id = v_reader
                and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id) and r.entry_date <= p_until
              order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
            )
            union
            (
              select r.id, r.entry_date, r.created_at from unnest(v_audiences) a (id)
              cross join lateral (
                select r.id, r.entry_date, r.created_at from nectar.journal_entries r
                where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                  and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id) and r.entry_date <= p_until
                order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
              ) r
            )
            union
            (
              select r.id, r.entry_date, r.created_at from unnest((select v_public)) v (id)
              cross join lateral (select r.id, r.entry_date, r.created_at from nectar.journal_entries r where r.id = v.id limit 1) r
            )
          ) r
          order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
        );
      end
      $function$;

CREATE OR REPLACE FUNCTION private.effective_visibility(p_visibility nectar.visibility, p_team_id uuid, p_org_id uuid, p_groups uuid[])
 RETURNS nectar.visibility
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((p_visibility = 'team'::nectar.visibility) AND ((p_team_id = ANY (p_groups)) IS NOT TRUE)) THEN 'user'::nectar.visibility WHEN ((p_visibility = 'org'::nectar.visibility) AND ((p_org_id = ANY (p_groups)) IS NOT TRUE)) THEN 'user'::nectar.visibility ELSE p_visibility END;

CREATE OR REPLACE FUNCTION private.email_address_hash(p_address text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(lower(p_address), 'UTF8'::name));

CREATE OR REPLACE FUNCTION private.email_limits()
 RETURNS TABLE(max_mails integer, period interval, is_per_recipient boolean)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
    values
      (20, interval '1 hour', false),
      (50, interval '24 hours', false),
      (5, interval '24 hours', true)
  $function$;

CREATE OR REPLACE FUNCTION private.end_battle(p_week date, p_moment timestamp with time zone, p_result jsonb)
 RETURNS SETOF nectar.battles
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    update nectar.battles b
    set battle_status = 'completed', winner = r.winner, battle_result = r.battle_result, daily_chips = r.daily_chips,
      updated_at = p_moment,
      red_team_chips = r.red_chips, blue_team_chips = r.blue_chips,
      red_team_members = r.red_members, blue_team_members = r.blue_members,
      red_team_robot_power = r.red_power, blue_team_robot_power = r.blue_power
    from jsonb_to_record(p_result) r (
      red_chips integer, blue_chips integer, red_members integer, blue_members integer, red_power integer,
      blue_power integer, winner nectar.battle_winner, battle_result jsonb, daily_chips jsonb
    )
    where b.week_start_date = p_week and b.battle_status <> 'completed' returning b.*;
  if found then insert into private.battle_announcements (week_start_date) values (p_week); end if;
end $function$;

CREATE OR REPLACE FUNCTION private.end_days(p_moment timestamp with time zone, p_max integer)
 RETURNS TABLE(week date, people uuid[], closed integer, completed integer, pending integer, failed integer, notified integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_days constant private.ended_day[] := private.close_days(p_moment, p_max);
  v_broken_dates date[];
begin
  v_broken_dates := array(
    select r.date
    from private.recount_check_ins(
      (
        select jsonb_agg(jsonb_build_object('user_id', d.user_id, 'date', d.date)) from unnest(v_days) d
        where d.state = 'failed'
      ),
      'infinity', 0
    ) r
  );
  v_broken_dates := v_broken_dates || array(
    select b.date
    from private.notify_broken_chains((
      select jsonb_agg(jsonb_build_object('user_id', d.after_user_id, 'date', d.date)) from unnest(v_days) d
      where d.state = 'failed' and d.after_user_id is not null
        -- A check-in that a battle has ended with keeps the chain that it counted.
        and not exists (
          select from nectar.workout_checkins k
          where k.user_id = d.after_user_id and k.date = d.date and k.chain_status = 'continued'
        )
    )) b
  );
  perform private.notify_battle_progress(v_days);
  return query
    select d.week, array_agg(d.user_id), count(*)::integer,
      (count(*) filter (where d.state = 'completed'))::integer,
      (count(*) filter (where d.state = 'pending'))::integer,
      (count(*) filter (where d.state = 'failed'))::integer,
      (select count(*) from unnest(v_broken_dates) b (date) where private.week_start(b.date) = d.week)::integer
    from (select y.*, private.week_start(y.date) as week from unnest(v_days) y) d group by d.week;
end $function$;

CREATE OR REPLACE FUNCTION private.end_import(p_id uuid, p_result jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_import nectar.journal_imports;
begin
  update nectar.journal_imports i
  set status = (p_result ->> 'status')::nectar.import_status,
    found = coalesce((p_result ->> 'found')::integer, i.found),
    created = coalesce((p_result ->> 'created')::integer, i.created),
    skipped = coalesce((p_result ->> 'skipped')::integer, i.skipped),
    failed = coalesce((p_result ->> 'failed')::integer, i.failed),
    problems = coalesce(p_result -> 'problems', i.problems)
  where i.id = p_id and i.status = 'running' returning * into v_import;
  if found and not v_import.dry_run then perform private.discard_archive(v_import); end if;
end $function$;

CREATE OR REPLACE FUNCTION private.end_tone_pack_purchase(p_transaction_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_refunded uuid;
  v_buyer uuid;
begin
  update nectar.tone_pack_purchases b set refunded_at = now()
    where b.transaction_id = p_transaction_id and b.refunded_at is null
    returning b.pack_id, b.user_id into v_refunded, v_buyer;
  if found then
    update nectar.accounts a set active_tone_pack_id = null, updated_at = now()
      where a.user_id = v_buyer and a.active_tone_pack_id = v_refunded
        and not private.may_use_tone_pack(a.user_id, v_refunded);
    perform private.delete_unused_images(array[v_refunded]);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.end_tone_pack_share()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The share is deleted with the recipient's account: there is no active pack to clear, and to lock the pack now would
  -- be a deadlock with an owner who is sharing it.
  if not exists (select from nectar.profiles p where p.id = old.user_id) then return null; end if;
  perform from nectar.tone_packs p where p.id = old.pack_id for no key update;
  update nectar.accounts a set active_tone_pack_id = null, updated_at = now()
    where a.user_id = old.user_id and a.active_tone_pack_id = old.pack_id
      and not private.may_use_tone_pack(old.user_id, old.pack_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.end_weeks(p_week date, p_user_ids uuid[], p_over nectar.weekly_workout_stats[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_over nectar.weekly_workout_stats[];
begin
  with turned as (
    update nectar.weekly_workout_stats s set is_over = true
    where s.week_start_date = p_week and s.user_id = any (p_user_ids) and not s.is_over returning s
  )
  select p_over || array_agg(t.s) into v_over from turned t;
  insert into nectar.notifications (user_id, type, data)
  select w.user_id, 'weekly_stats', jsonb_build_object(
    'week_start_date', p_week, 'days_planned', w.days_planned, 'completed_count', w.completed_count,
    'chips_earned', w.chips_earned
  )
  from unnest(v_over) w where not (select p.is_ai from nectar.profiles p where p.id = w.user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.enroll_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into nectar.organization_members (org_id, user_id, role) values (new.id, new.owner_id, 'admin');
  perform private.record_member_acted(array[new.id]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.enroll_team_admin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into nectar.team_members (team_id, org_id, user_id, role) values (new.id, new.org_id, new.admin_id, 'admin')
  on conflict (team_id, user_id) do update set role = 'admin';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.entries_within_bytes(p_ids uuid[], p_max_bytes bigint)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select e.id
    from (
      select page.id, page.place, sum(octet_length(c.content)) over (
        order by page.place rows between unbounded preceding and 1 preceding
      ) as bytes_before
      from unnest((select p_ids)) with ordinality page (id, place)
      left join lateral (
        select c.content from nectar.journal_entry_contents c where c.entry_id = page.id limit 1
      ) c on true
    ) e
    where coalesce(e.bytes_before, 0) <= p_max_bytes order by e.place
  );
end $function$;

CREATE OR REPLACE FUNCTION private.entry_candidates(p_page jsonb, p_filter jsonb)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_scope constant text := p_page ->> 'scope';
  v_notebook_id constant uuid := p_filter ->> 'notebook_id';
  v_q constant text := p_filter ->> 'q';
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
  v_max_searched constant integer := 5000;
  -- More than anyone can see.
  v_all constant integer := 100000000;
  v_from constant timestamptz := coalesce(p_filter ->> 'from', '-infinity');
  v_before constant timestamptz := coalesce(p_filter ->> 'before', 'infinity');
  v_terms constant text[] := case when not private.is_super_admin() then coalesce(
    nullif(private.terms_within(v_q), '{}'),
    nullif(private.tag_terms(private.lowercase_tags(array(select jsonb_array_elements_text(p_filter -> 'tags')))), '{}'),
    case when p_filter ? 'mood' then array[private.mood_term(lower(p_filter ->> 'mood'))] end
  ) end;
begin
  if v_q is not null and private.terms_within(v_q) = '{}' then
    return case
      when v_notebook_id is null
        then private.newest_visible_journal_entries(v_scope, v_before, v_nil, v_from, v_max_searched)
      else private.newest_entries_of_notebook(v_notebook_id, v_scope, v_before, v_nil, v_from, v_max_searched)
    end;
  elsif v_terms is not null then
    return array(select distinct f from private.find_entries(v_terms, v_terms[1] not like 'tag:%') f);
  elsif not private.has_other_range(p_page, p_filter) then
    return null;
  elsif p_page ->> 'order' in ('latest date first', 'earliest date first') then
    return private.newest_visible_journal_entries(v_scope, v_before, v_nil, v_from, v_all);
  end if;
  return private.latest_visible_journal_entries(
    v_scope, coalesce(p_filter ->> 'date_to', 'infinity')::date, 'infinity', v_nil,
    coalesce(p_filter ->> 'date_from', '-infinity')::date, v_all
  );
end $function$;

CREATE OR REPLACE FUNCTION private.entry_of_picture(p_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select p.entry_id from nectar.entry_pictures p where p.id = p_id);
end $function$;

CREATE OR REPLACE FUNCTION private.entry_page(p_page jsonb, p_filter jsonb)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_max constant integer := (p_page ->> 'max')::integer;
  v_q constant text := p_filter ->> 'q';
  -- No index finds such a text, and looking through all entries for it would take seconds.
  v_is_short constant boolean := v_q is not null and private.terms_within(v_q) = '{}';
  -- Withdrawn entries still have the audiences of the caller, so the policies have to filter them.
  v_is_filtered constant boolean := p_filter ?| array['tags', 'mood', 'q'] or private.has_other_range(p_page, p_filter)
    or private.withdrawn_shares() <> '{}';
  v_after record := private.entry_page_start(p_page, p_filter);
  -- With a filter, visible entries are read in batches until enough of them match, or until it is clear that few do.
  v_rows integer := case when v_is_filtered then 4 * v_max else v_max end;
  v_walked integer := 0;
  v_found uuid[];
  v_ids uuid[];
  v_page uuid[] := '{}';
begin
  loop
    -- If fewer than one in a hundred matched, looking all others up and sorting them costs less than reading on. A super
    -- admin reads on, because the search index finds only what they see as a member.
    if v_found is null and (v_is_short or v_walked > 100 * cardinality(v_page)) then
      v_found := private.sorted_candidates(
        p_page, p_filter, private.entry_candidates(p_page, p_filter),
        v_after.after_date, v_after.after_time, v_after.after_id
      );
    end if;
    if v_found is not null then
      v_ids := v_found[1:v_rows];
      v_found := v_found[v_rows + 1:];
    else
      v_ids := private.next_entries(p_page, p_filter, v_after.after_date, v_after.after_time, v_after.after_id, v_rows);
    end if;
    if not v_is_filtered then
      v_page := v_ids;
      exit;
    end if;
    v_page := v_page || private.matching_entries(p_filter, v_ids, v_max - cardinality(v_page));
    exit when cardinality(v_page) = v_max or cardinality(v_ids) < v_rows;
    v_walked := v_walked + v_rows;
    if v_found is null then
      select case when v_after.after_date is not null then e.entry_date end as after_date, e.created_at as after_time,
        e.id as after_id
      into v_after from nectar.journal_entries e where e.id = v_ids[v_rows];
    end if;
    -- As many rows as should contain the rest of the page, and half of that more.
    v_rows := least(
      greatest(v_max, 1.5 * v_walked * (v_max - cardinality(v_page)) / greatest(cardinality(v_page), 1)), 20 * v_max
    );
  end loop;
  -- 50 contents of the maximum length fit into memory.
  if p_page ->> 'fields' = 'all' and v_max > 50 then
    return private.entries_within_bytes(v_page, (p_page ->> 'max_content_bytes')::bigint);
  end if;
  return v_page;
end $function$;

CREATE OR REPLACE FUNCTION private.entry_page_start(p_page jsonb, p_filter jsonb, OUT after_date date, OUT after_time timestamp with time zone, OUT after_id uuid)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_by_date constant boolean := p_page ->> 'order' in ('latest date first', 'earliest date first');
  v_descending constant boolean := p_page ->> 'order' in ('newest first', 'latest date first');
  -- The end of the range that comes first.
  v_date constant date := case
    when v_descending then coalesce(p_filter ->> 'date_to', 'infinity') else coalesce(p_filter ->> 'date_from', '-infinity')
  end;
  v_time constant timestamptz := case
    when v_descending then coalesce(p_filter ->> 'before', 'infinity') else coalesce(p_filter ->> 'from', '-infinity')
  end;
begin
  after_date := p_page ->> 'after_date';
  after_time := p_page ->> 'after';
  after_id := p_page ->> 'after_id';
  if v_by_date
    and (after_time is null or case when v_descending then v_date < after_date else v_date > after_date end)
  then
    after_date := v_date;
    after_time := case when v_descending then 'infinity' else '-infinity' end;
    after_id := '00000000-0000-0000-0000-000000000000';
  elsif not v_by_date
    and (after_time is null or case when v_descending then v_time <= after_time else v_time > after_time end)
  then
    after_time := v_time;
    after_id := '00000000-0000-0000-0000-000000000000';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.entry_share(p_visibility nectar.visibility, p_notebook_visibility nectar.visibility, p_entry nectar.journal_entries, p_notebook nectar.notebooks, p_groups uuid[], OUT visibility nectar.visibility, OUT audience_id uuid)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_team_id uuid := p_entry.team_id;
  v_org_id uuid := p_entry.org_id;
begin
  visibility := private.unless_hidden(p_visibility, p_entry.hidden_at);
  if p_entry.hidden_at is null
    and private.inherits_visibility(p_visibility, p_entry.inherit_visibility, p_notebook.id) then
    visibility := private.unless_hidden(p_notebook_visibility, p_notebook.hidden_at);
    v_team_id := p_notebook.team_id;
    v_org_id := p_notebook.org_id;
  end if;
  visibility := private.effective_visibility(visibility, v_team_id, v_org_id, p_groups);
  audience_id := private.audience_of(visibility, p_entry.user_id, v_team_id, v_org_id);
end $function$;

CREATE OR REPLACE FUNCTION private.erase_account(p_user_id uuid, p_cancelled text[], p_moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_max_wait constant interval := '7 days';
  v_address text;
  v_role nectar.user_role;
  v_open text[];
  v_erases_at timestamptz;
  v_readers uuid[];
begin
  -- Before the profile is locked: a deletion that runs already may need it for a while.
  perform private.wait_for_account_deletions();
  perform from nectar.profiles p where p.id = p_user_id for update;
  select a.erases_at into v_erases_at
    from nectar.accounts a where a.user_id = p_user_id and a.erasing_since is not null;
  if not found then return false; end if;
  v_open := private.open_subscriptions(p_user_id);
  if not v_open <@ p_cancelled then
    if p_moment < v_erases_at + v_max_wait then return false; end if;
    insert into private.subscriptions_to_cancel
    select unnest(v_open) except select unnest(p_cancelled)
    on conflict do nothing;
  end if;
  v_address := private.confirmed_address(p_user_id);
  v_role := coalesce((select r.role from nectar.user_roles r where r.user_id = p_user_id), 'user');
  if not exists (
    select from private.email_suppressions s where s.address_hash = private.email_address_hash(v_address)
  ) then
    insert into private.erasure_receipts (address, erased_at) select v_address, p_moment where v_address is not null;
  end if;
  v_readers := private.readers_of(p_user_id, v_address);
  perform private.keep_suspension(p_user_id, p_moment);
  perform private.delete_sign_ins(p_user_id);
  delete from auth.users u where u.id = p_user_id;
  -- After the deletion has waited for those who write about the person.
  delete from private.idempotency_keys k where strpos(k.body, p_user_id::text) > 0;
  perform private.withdraw_from_exports(v_readers);
  insert into nectar.audit_events (actor_id, actor_role, action, target_type, target_id)
  values (p_user_id, v_role, 'deleteAccount', 'account', p_user_id);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.erase_rows(p_user_id uuid, p_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_deleted integer := 0;
  v_count integer;
  v_table text;
  v_owner text;
begin
  -- The same locks as the deletion of the account, because entries are named by drops of others.
  perform private.wait_for_account_deletions();
  perform from nectar.profiles p where p.id = p_user_id for update;
  if not exists (select from nectar.accounts a where a.user_id = p_user_id and a.erasing_since is not null) then
    return 0;
  end if;
  for v_table, v_owner in
    values
      ('nectar.journal_entries', 'user_id'),
      ('nectar.trashed_entries', 'user_id'),
      ('private.imported_entries', 'user_id'),
      ('private.logged_reads', 'user_id'),
      ('nectar.goal_check_ins', 'user_id'),
      ('nectar.wellness_entries', 'user_id'),
      ('nectar.notifications', 'user_id'),
      ('nectar.token_usage', 'user_id'),
      ('nectar.team_messages', 'sender_id')
  loop
    if v_table = 'nectar.team_messages' then
      perform private.withdraw_from_exports(array(
        select coalesce(
          (select e.user_id from nectar.journal_entries e where e.id = m.entry_id),
          (select g.user_id from nectar.goals g where g.id = m.goal_id)
        )
        from nectar.team_messages m where m.sender_id = p_user_id
      ));
    end if;
    execute format(
      'delete from %1$s where ctid = any (array(select t.ctid from %1$s t where t.%2$I = $1 limit $2))',
      v_table, v_owner
    ) using p_user_id, p_max - v_deleted;
    get diagnostics v_count = row_count;
    v_deleted := v_deleted + v_count;
    exit when v_deleted >= p_max;
  end loop;
  return v_deleted;
end $function$;

CREATE OR REPLACE FUNCTION private.expect_file(p_store text, p_path text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.stored_files_to_remove (store, path, remove_after)
  values (p_store, p_path, now() + interval '1 hour');
end $function$;

CREATE OR REPLACE FUNCTION private.expect_mosaic(p_date date)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_path constant text := 'mosaics/' || p_date || '/' || gen_random_uuid() || '.png';
begin
  perform private.expect_file('private', v_path);
  return v_path;
end $function$;

CREATE OR REPLACE FUNCTION private.expect_new_file(p_kind text)
 RETURNS TABLE(id uuid, path text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_ending constant text :=
    case p_kind
      when 'backgrounds' then '.png'
      when 'checkins' then '.jpg'
      when 'checkin-uploads' then ''
      when 'imports' then '.zip'
      when 'pictures' then '.jpg'
      when 'picture-uploads' then ''
    end;
begin
  if v_ending is null or v_actor is null then
    raise exception 'unknown kind of file, or no caller' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  id := gen_random_uuid();
  path := p_kind || '/' || v_actor || '/' || id || v_ending;
  perform private.expect_file('private', path);
  return next;
end $function$;

CREATE OR REPLACE FUNCTION private.expect_tone_image(p_path text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if starts_with(p_path, private.actor_id() || '/') is not true then
    raise exception 'the path does not begin with the caller' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  insert into private.stored_files_to_remove as f (store, path, remove_after)
  values ('tone-packs', p_path, now() + interval '1 hour') on conflict do nothing;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION private.expire_exports(p_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  update nectar.exports set status = 'expired'
  where id in (
    select x.id from nectar.exports x where x.status = 'ready' and x.expires_at <= now() limit p_max for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION private.expire_received_emails(p_moment timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
    with expired as (
      update private.email_received r set content_due_at = null
      where r.content_due_at is not null and r.created_at <= p_moment - interval '3 days' returning 1
    )
    select count(*)::integer from expired
  $function$;

CREATE OR REPLACE FUNCTION private.expire_rejected_photos(p_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_expired integer;
begin
  update nectar.moderation_decisions d set photo_key = null
  where d.id = any (array(
    select d.id from nectar.moderation_decisions d
    where d.photo_key is not null and private.appeal_until(d.decided_at) < now()
      and not exists (select from nectar.moderation_appeals a where a.decision_id = d.id and a.status = 'open')
    limit p_max
  ));
  get diagnostics v_expired = row_count;
  return v_expired;
end $function$;

CREATE OR REPLACE FUNCTION private.facts_of_check_ins(p_check_ins jsonb, p_grace_minutes integer)
 RETURNS private.check_in_facts[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select row(
      n.user_id, c.id, n.date, n.activity_type, n.photo_timestamp, n.status, s.chain_status, n.is_early,
      private.has_streak(n.user_id, n.date), coalesce(c.team_color, t.color), private.week_start(n.date), n.checked_in_at,
      n.replaced_id, coalesce(k.is_counted, false)
    )::private.check_in_facts
    from jsonb_to_recordset(p_check_ins) n (
      user_id uuid, date date, activity_type nectar.activity_type, photo_timestamp timestamptz,
      status nectar.checkin_status, is_early boolean, checked_in_at timestamptz, replaced_id uuid
    )
    left join lateral (
      select c.* from nectar.chains c where c.user_id = n.user_id and c.date = n.date limit 1
    ) c on true
    left join lateral (
      select k.id, k.is_counted from nectar.workout_checkins k where k.user_id = n.user_id and k.date = n.date limit 1
    ) k on true
    left join lateral (
      select t.color from nectar.team_colors t
      where c.id is null and t.user_id = n.user_id and t.week_start_date = private.week_start(n.date) limit 1
    ) t on true
    left join lateral (
      select true as is_open from private.open_days o
      where o.day_ends_at = c.day_ends_at and o.user_id = c.user_id and o.chain_id = c.id limit 1
    ) o on true
    cross join lateral private.chain_status(c.before_user_id, n.date, n.checked_in_at, p_grace_minutes) s (chain_status)
    where (c.id is null or o.is_open) and (c.day_ends_at <= n.checked_in_at) is not true
      and k.id is not distinct from n.replaced_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.find_entries(p_terms text[], p_in_content boolean)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
declare
  v_reader constant uuid := private.actor_id();
  v_audiences uuid[] := private.my_content_audiences();
  v_blocked uuid[] := '{}';
  v_terms text[];
begin
  -- A reader with a block does not have the public among their audiences.
  if v_reader is not null and private.public_audience() <> all (v_audiences) then
    v_audiences := v_audiences || private.public_audience();
    v_blocked := private.blocked_users();
  end if;
  -- Each audience and term costs about a microsecond. Terms are chosen by their hash, so that they are not neighbors in
  -- the text.
  v_terms := array(
    select t from unnest(p_terms) t order by hashtext(t) limit greatest(2, 200 / cardinality(v_audiences))
  );
  return query
  with audience as materialized (
    select array(select private.search_key(a, t) from unnest(v_terms) t) as keys from unnest(v_audiences) a
  )
  select e.id from audience a
  cross join lateral (
    select e.id from nectar.journal_entries e
    where private.metadata_keys(e.metadata_audience_id, e.title, e.tag_keys, e.mood) @> a.keys
      and (e.metadata_audience_id <> private.public_audience() or e.user_id <> all ((select v_blocked)::uuid[]))
  ) e
  union all
  select c.entry_id from audience a
  cross join lateral (
    select c.entry_id from nectar.journal_entry_contents c
    where private.content_keys(
        private.content_audience(c.user_id, c.metadata_audience_id, c.content_audience_id), c.content, c.found_mood
      ) @> a.keys
      and (c.metadata_audience_id <> private.public_audience() or c.user_id <> all ((select v_blocked)::uuid[]))
  ) c
  where p_in_content;
end $function$;

CREATE OR REPLACE FUNCTION private.find_invitation(p_token_hash bytea, p_invitation_id uuid, p_is_accepting boolean)
 RETURNS nectar.invitations
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_found nectar.invitations;
begin
  -- One statement for all reasons to refuse, so that none of them takes longer than another.
  select i.* into v_found from nectar.invitations i
  where i.id = coalesce(p_invitation_id, (select t.id from nectar.invitations t where t.token_hash = p_token_hash))
    -- A link is used with its token only.
    and (p_invitation_id is null or i.email is not null)
    and (i.email is null or lower(i.email) = lower(private.confirmed_address(v_actor)))
    and not private.has_block(i.invited_by, v_actor)
    and (
      private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending'
      or (
        p_is_accepting
        and private.invitation_status(i.revoked_at, 0, i.max_uses, i.expires_at) = 'pending'
        and exists (select from nectar.organization_members m where m.org_id = i.org_id and m.user_id = v_actor)
      )
    );
  if not found then
    raise exception 'no such invitation' using errcode = 'NX000', detail = 'invitation.not_found';
  end if;
  return v_found;
end $function$;

CREATE OR REPLACE FUNCTION private.finish_export(p_id uuid, p_claim uuid, p_size bigint, p_sha256 text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user constant uuid := (select x.user_id from nectar.exports x where x.id = p_id);
begin
  if not private.lock_profile(v_user) then return false; end if;
  update nectar.exports x
  set status = 'ready', ready_at = now(), expires_at = now() + interval '7 days', size_bytes = p_size, sha256 = p_sha256
  where x.id = p_id and x.claim = p_claim and x.status = 'pending';
  if not found then return false; end if;
  perform private.notify(v_user, 'export_ready', jsonb_build_object('export_id', p_id));
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.first_entry_day()
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
RETURN '1900-01-01'::date;

CREATE OR REPLACE FUNCTION private.first_instant(p_local timestamp without time zone, p_zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  -- PostgreSQL takes the second of two instants and, for a time that is skipped, the offset before the gap.
  v_instant constant timestamptz := p_local at time zone p_zone;
  v_shown constant timestamp := v_instant at time zone p_zone;
  v_day_before constant timestamptz := v_instant - interval '24 hours';
  v_offset_before constant interval := (v_day_before at time zone p_zone) - (v_day_before at time zone 'UTC');
  v_earlier constant timestamptz := (p_local - v_offset_before) at time zone 'UTC';
begin
  if v_shown > p_local then
    return (
      select min(minute) from generate_series(v_instant - (v_shown - p_local), v_instant, interval '1 minute') minute
      where minute at time zone p_zone >= p_local
    );
  end if;
  return case when v_earlier at time zone p_zone = p_local then least(v_earlier, v_instant) else v_instant end;
end $function$;

CREATE OR REPLACE FUNCTION private.forget_check_in_photo(p_file_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.stored_files_to_remove f
  where f.store = 'private' and f.path = 'checkins/' || private.actor_id() || '/' || p_file_id || '.jpg'
    and f.remove_after > now();
end $function$;

CREATE OR REPLACE FUNCTION private.gets_no_mail(p_address text, p_sender_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (
      select from private.email_suppressions s where s.address_hash = private.email_address_hash(p_address)
    )
    -- Only the owner of the address can refuse mail to it, not an account that never confirmed it.
    or exists (
      select from nectar.accounts a
      join auth.users u on u.id = a.user_id and u.email_confirmed_at is not null
      join nectar.blocks b on b.user_id = a.user_id and b.blocked_id = p_sender_id
      where lower(a.email) = lower(p_address)
    );
end $function$;

CREATE OR REPLACE FUNCTION private.give_first_badges()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  with given as (
    insert into nectar.user_badges as b (user_id, is_ai) select n.id, n.is_ai from new_rows n
    returning b.user_id, private.badge_stats(b, now()) as stats
  )
  insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
  select g.user_id, d.level, d.name, now(), g.stats from given g
  join nectar.badge_definitions d on d.level = 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.give_organization(p_org_id uuid, p_new_owner_id uuid, p_given_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_is_returned boolean;
begin
  update nectar.organizations o
  set owner_id = p_new_owner_id,
    received_at = case when r.is_returned then null else now() end,
    received_from = case when r.is_returned then null else r.owner_id end,
    is_used = r.is_returned,
    updated_at = now()
  from (
    select f.id, f.owner_id, coalesce(
      f.received_from = p_new_owner_id and f.received_at > now() - interval '14 days', false
    ) as is_returned
    from nectar.organizations f
  ) r
  where o.id = p_org_id and r.id = o.id returning r.is_returned into v_is_returned;
  if p_new_owner_id is distinct from p_given_by then
    -- Without the name of the organization, as in private.notify_added_member.
    perform private.notify(
      p_new_owner_id, 'organization_received',
      jsonb_strip_nulls(jsonb_build_object('org_id', p_org_id, 'given_by', p_given_by, 'is_returned', v_is_returned)),
      p_given_by
    );
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.grant_encouragement_bonus(p_changes jsonb, p_moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_today constant date := (p_moment at time zone 'UTC')::date;
begin
  insert into nectar.encouragement_allowances as a (user_id, date, daily_allowance, bonus_earned, bonus_carried)
    select w.user_id, v_today, c.daily_allowance, w.bonus, private.unused_bonus(y)
    from jsonb_to_recordset(p_changes) w (user_id uuid, bonus integer)
    cross join nectar.encouragement_config c
    left join nectar.encouragement_allowances y on y.user_id = w.user_id and y.date = v_today - 1
    where w.bonus > 0
    on conflict (user_id, date) do update
      set bonus_earned = a.bonus_earned + excluded.bonus_earned,
        bonus_carried = excluded.bonus_carried,
        daily_allowance = excluded.daily_allowance;
end $function$;

CREATE OR REPLACE FUNCTION private.hand_over_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.hand_over_organizations(old.id);
  perform private.leave_tone_packs_to_buyers(old.id);
  -- After the organizations, which have their new owners now.
  perform private.pass_on_invitations(old.id);
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.hand_over_organization(p_org_id uuid, p_former_owner_id uuid, p_humans uuid[], p_given_by uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_successor uuid;
begin
  select m.user_id into v_successor from nectar.organization_members m
  where m.org_id = p_org_id and m.user_id = any ((select p_humans)::uuid[])
  order by m.user_id is not distinct from p_former_owner_id desc, m.joined_at, m.user_id limit 1
  for key share skip locked; -- skips a member who is leaving at the same time
  if found then
    perform private.give_organization(p_org_id, v_successor, p_given_by);
  else
    delete from nectar.organizations where id = p_org_id;
  end if;
  return v_successor is not null;
end $function$;

CREATE OR REPLACE FUNCTION private.hand_over_organizations(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_humans uuid[];
  v_organization record;
begin
  -- Locks the profiles first, so that no successor's account is deleted meanwhile.
  v_humans := array(
    select p.id from nectar.profiles p
    where not p.is_ai and p.id <> p_user_id and p.id in (
      select m.user_id from nectar.organization_members m
      join nectar.organizations o on o.id = m.org_id
      where o.owner_id = p_user_id
    )
    for key share
  );
  for v_organization in
    select o.id, case when not o.is_used then o.received_from end as former_owner_id from nectar.organizations o
    where o.owner_id = p_user_id for update
  loop
    perform private.hand_over_organization(v_organization.id, v_organization.former_owner_id, v_humans, null);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.hand_over_team()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_team nectar.teams;
  v_successor uuid;
begin
  select * into v_team from nectar.teams t where t.id = old.team_id for update;
  if not found or v_team.admin_id <> old.user_id then return null; end if;
  if exists (select from nectar.organization_members m where m.org_id = old.org_id and m.user_id = old.user_id) then
    -- Skips a co-admin who is leaving at the same time: waiting for them while they wait for the team would be a
    -- deadlock.
    select m.user_id into v_successor
      from nectar.team_members m where m.team_id = old.team_id and m.role = 'admin' and private.is_human(m.user_id)
      order by m.joined_at, m.user_id limit 1 for no key update skip locked;
    if v_successor is null then
      raise exception 'the last team admin cannot leave' using errcode = 'NX000', detail = 'team.last_admin';
    end if;
  else
    -- Removed from the organization altogether: the organization's owner takes over the team.
    select o.owner_id into v_successor from nectar.organizations o where o.id = old.org_id;
    if not found then
      return null; -- the whole organization is being deleted, and this team with it
    end if;
  end if;
  update nectar.teams set admin_id = v_successor where id = old.team_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.has_block(p_one uuid, p_other uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.blocks b where b.user_id = p_one and b.blocked_id = p_other)
    or exists (select from nectar.blocks b where b.user_id = p_other and b.blocked_id = p_one);
end $function$;

CREATE OR REPLACE FUNCTION private.has_other_range(p_page jsonb, p_filter jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (p_filter ?| CASE WHEN ((p_page ->> 'order'::text) = ANY (ARRAY['latest date first'::text, 'earliest date first'::text])) THEN ARRAY['from'::text, 'before'::text] ELSE ARRAY['date_from'::text, 'date_to'::text] END);

CREATE OR REPLACE FUNCTION private.has_profile(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from nectar.profiles p where p.id = p_user_id;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION private.has_streak(p_user_id uuid, p_date date)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select count(*) = 6 from nectar.workout_checkins k
    where k.user_id = p_user_id and k.date between p_date - 6 and p_date - 1 and k.status = 'verified'
  );
end $function$;

CREATE OR REPLACE FUNCTION private.has_token(p_token_id uuid, p_locks boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_locks then
    perform from nectar.personal_tokens t where t.id = p_token_id for key share;
  else
    perform from nectar.personal_tokens t where t.id = p_token_id;
  end if;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION private.have_notes_changed(p_turn private.assistant_turns, p_moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- Compared over the notes that were recent at the time, so that a note that has only grown too old is no change.
  if private.notes_version(p_turn.user_id, p_turn.notes_since) is not distinct from p_turn.notes_version then
    return false;
  end if;
  return exists (
      select from private.notes e where e.user_id = p_turn.user_id and e.created_at > private.notes_since(p_moment)
    )
    and private.notes_fingerprint(p_turn.user_id, p_turn.notes_since) is distinct from p_turn.notes_fingerprint;
end $function$;

CREATE OR REPLACE FUNCTION private.hidden_since(p_owner_id uuid, p_target_type text, p_target_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select min(d.decided_at) from nectar.moderation_decisions d
    where d.owner_id = p_owner_id and d.target_id = p_target_id and d.target_type = p_target_type
      and d.decision = 'hide' and d.reversed_at is null
  );
end $function$;

CREATE OR REPLACE FUNCTION private.import_entries(p_id uuid, p_batch jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_import nectar.journal_imports;
  v_new jsonb;
  v_created integer;
  v_found constant integer := p_batch ->> 'found';
  v_failed constant integer := p_batch ->> 'failed';
  v_max_problems constant integer := 100;
begin
  if not private.lock_importer(p_id) then return false; end if;
  select * into v_import from nectar.journal_imports i where i.id = p_id and i.status = 'running' and not i.dry_run
  for no key update;
  if not found then return false; end if;
  with given as materialized (
    select distinct on (e.entry ->> 'external_id') e.entry
    from jsonb_array_elements(p_batch -> 'entries') with ordinality e (entry, n) order by e.entry ->> 'external_id', e.n
  ), claimed as (
    insert into private.imported_entries (user_id, source, external_id)
    select v_import.user_id, v_import.source, decode(g.entry ->> 'external_id', 'hex') from given g
    where not private.is_imported(v_import, g.entry ->> 'external_id', (g.entry ->> 'exported_id')::uuid)
    on conflict do nothing returning encode(external_id, 'hex') as external_id
  )
  select coalesce(jsonb_agg(g.entry || jsonb_build_object('id', gen_random_uuid())), '[]') into v_new
  from given g join claimed c on c.external_id = g.entry ->> 'external_id';
  v_created := jsonb_array_length(v_new);
  perform private.insert_imported(v_import.user_id, v_new);
  update nectar.journal_imports i
  set is_checked = true,
    starts = case when v_created > 0 then 0 else i.starts end,
    created = i.created + v_created,
    -- After an interruption, they are counted from the beginning of the archive again.
    skipped = greatest(i.skipped, v_found - v_failed - i.created - v_created),
    failed = greatest(i.failed, v_failed),
    problems = jsonb_path_query_array(
      i.problems || (p_batch -> 'picture_problems')
        || case when v_failed > i.failed then p_batch -> 'problems' else '[]' end,
      '$[0 to $last]', jsonb_build_object('last', v_max_problems - 1)
    )
  where i.id = p_id;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.inherits_visibility(p_visibility nectar.visibility, p_inherits boolean, p_notebook_id uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_visibility = 'user'::nectar.visibility) AND p_inherits AND (p_notebook_id IS NOT NULL));

CREATE OR REPLACE FUNCTION private.insert_imported(p_user_id uuid, p_entries jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into nectar.notebooks (user_id, name, description)
  select distinct on (e.notebook) p_user_id, e.notebook, e.notebook_description
  from jsonb_to_recordset(p_entries) e (notebook text, notebook_description text)
  where e.notebook is not null
    and not exists (select from nectar.notebooks n where n.user_id = p_user_id and n.name = e.notebook)
  order by e.notebook, e.notebook_description;
  insert into nectar.journal_entries (
    id, user_id, notebook_id, title, mood, tags, entry_date, ai_excluded, is_imported, inherit_visibility, created_at,
    updated_at
  )
  select e.id, p_user_id, n.id, e.title, e.mood, e.tags, e.entry_date, true, true, false, least(e.created_at, now()),
    least(e.updated_at, now())
  from jsonb_to_recordset(p_entries) e (
    id uuid, notebook text, title text, mood text, tags text[], entry_date date, created_at timestamptz,
    updated_at timestamptz
  )
  left join (
    select distinct on (o.name) o.name, o.id from nectar.notebooks o where o.user_id = p_user_id
    order by o.name, o.created_at, o.id
  ) n on n.name = e.notebook;
  insert into nectar.journal_entry_contents (entry_id, content, found_mood)
  select e.id, e.content, e.found_mood from jsonb_to_recordset(p_entries) e (id uuid, content text, found_mood text);
  insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, caption, width, height, size_bytes)
  select p.id, p.thumbnail_id, p_user_id, e.id, p.position, p.caption, p.width, p.height, p.size_bytes
  from jsonb_to_recordset(p_entries) e (id uuid, pictures jsonb)
  cross join jsonb_to_recordset(e.pictures) p (
    id uuid, thumbnail_id uuid, position integer, caption text, width integer, height integer, size_bytes integer
  );
end $function$;

CREATE OR REPLACE FUNCTION private.insert_synthetic_users(p_people jsonb, p_seed text)
 RETURNS SETOF nectar.synthetic_users
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Like the system user: no address, no password, no instance. The mark makes the profile synthetic from the start;
  -- only a role that may write Auth's table can set it.
  insert into auth.users (
    id, aud, role, confirmation_token, recovery_token, email_change, email_change_token_new, raw_app_meta_data,
    raw_user_meta_data
  )
  select p.id, '', '', '', '', '', '', '{"nectar": "synthetic"}', jsonb_build_object('full_name', p.full_name)
  from jsonb_to_recordset(p_people) p (id uuid, full_name text);

  -- Locations before windows, so that a new window is assigned to the right area.
  insert into nectar.user_locations (user_id, latitude, longitude, city, region, country, timezone)
  select p.id, p.latitude, p.longitude, p.city, p.state, 'US', p.timezone
  from jsonb_to_recordset(p_people) p (
    id uuid, latitude numeric, longitude numeric, city text, state text, timezone text
  );

  insert into nectar.workout_windows (
    user_id, activity_type, custom_activity, window_start_time, window_end_time, timezone, effective_from
  )
  select p.id, p.activity_type, p.custom_activity, p.window_start, p.window_end, p.timezone, p.effective_from
  from jsonb_to_recordset(p_people) p (
    id uuid, activity_type nectar.activity_type, custom_activity text, window_start time, window_end time, timezone text,
    effective_from date
  );

  return query
    insert into nectar.synthetic_users (
      user_id, region, city, state, timezone, activity_type, window_start, window_end, check_in_probability, seed
    )
    select p.id, p.region, p.city, p.state, p.timezone, p.activity_type, p.window_start, p.window_end,
      p.check_in_probability, p_seed
    from jsonb_to_recordset(p_people) p (
      id uuid, region text, city text, state text, timezone text, activity_type nectar.activity_type, window_start time,
      window_end time, check_in_probability numeric
    )
    returning *;
end $function$;

CREATE OR REPLACE FUNCTION private.invitation_status(p_revoked_at timestamp with time zone, p_uses integer, p_max_uses integer, p_expires_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (p_revoked_at IS NOT NULL) THEN 'revoked'::text WHEN (p_uses >= p_max_uses) THEN 'accepted'::text WHEN (p_expires_at <= now()) THEN 'expired'::text ELSE 'pending'::text END;

CREATE OR REPLACE FUNCTION private.invitee(p_address text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select a.user_id from nectar.accounts a
    where lower(a.email) = lower(p_address) and private.confirmed_address(a.user_id) is not null
  );
end $function$;

CREATE OR REPLACE FUNCTION private.is_admin()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from nectar.user_roles r where r.user_id = private.actor_id() and r.role in ('admin', 'super_admin')
  ) and not private.is_program();
end $function$;

CREATE OR REPLACE FUNCTION private.is_all_within(p_inner uuid[], p_outer uuid[])
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select bool_and((select bool_or(private.is_within(i.id, o.id)) from unnest(p_inner) i (id)))
    from unnest(p_outer) o (id)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.is_blocked_by(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.blocks b where b.user_id = p_user_id and b.blocked_id = private.actor_id());
end $function$;

CREATE OR REPLACE FUNCTION private.is_checked_in(p_file_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_check_in(private.actor_id());
  return exists (select from nectar.workout_checkin_photos p where p.file_id = p_file_id and p.user_id = private.actor_id());
end $function$;

CREATE OR REPLACE FUNCTION private.is_due(p_weekdays smallint[], p_date date)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_weekdays IS NULL) OR (EXTRACT(isodow FROM p_date) = ANY ((p_weekdays)::numeric[])));

CREATE OR REPLACE FUNCTION private.is_final_subscription_status(p_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (p_status = ANY (ARRAY['canceled'::text, 'incomplete_expired'::text]));

CREATE OR REPLACE FUNCTION private.is_human(p_person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select not p.is_ai from nectar.profiles p where p.id = p_person);
end $function$;

CREATE OR REPLACE FUNCTION private.is_imported(p_import nectar.journal_imports, p_external_id text, p_exported_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from private.imported_entries e
    where e.user_id = p_import.user_id and e.source = p_import.source
      and e.external_id = decode(p_external_id, 'hex')
  ) or exists (
    select from nectar.journal_entries j where j.id = p_exported_id and j.user_id = p_import.user_id
  ) or exists (select from nectar.trashed_entries t where t.id = p_exported_id and t.user_id = p_import.user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.is_in_squad(p_squad_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from nectar.squads s where s.id = p_squad_id and private.actor_id() in (s.user_1_id, s.user_2_id, s.user_3_id)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.is_known_member(p_org_id uuid, p_address text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  return exists (
    select from nectar.accounts a
    join nectar.organization_members m on m.org_id = p_org_id and m.user_id = a.user_id
    where lower(a.email) = lower(p_address)
      -- Otherwise the error would tell the owner which member has the address.
      and (
        a.user_id = v_actor
        or exists (
          select from nectar.invitations i
          where i.org_id = p_org_id and lower(i.email) = lower(p_address) and i.uses > 0
            and (i.org_id in (select private.my_owned_organization_ids()) or private.is_super_admin())
        )
      )
  );
end $function$;

CREATE OR REPLACE FUNCTION private.is_mailbox_of(p_mailbox text, p_address text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((lower(p_mailbox) = lower(p_address)) OR ("right"(lower(p_mailbox), (length(p_address) + 2)) = (('<'::text || lower(p_address)) || '>'::text)));

CREATE OR REPLACE FUNCTION private.is_off(p_away datemultirange, p_rest_days jsonb, p_date date)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((p_date <@ p_away) OR ((p_rest_days <> '[]'::jsonb) AND COALESCE(((jsonb_path_query_array(p_rest_days, '$[*]?(@."from" <= $"date")."weekdays"'::jsonpath, jsonb_build_object('date', p_date)) -> '-1'::integer) @> to_jsonb((EXTRACT(isodow FROM p_date))::integer)), false)));

CREATE OR REPLACE FUNCTION private.is_other_super_admin_left(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from nectar.user_roles r
    join nectar.accounts a on a.user_id = r.user_id
    where r.user_id <> p_user_id and r.role = 'super_admin' and a.erases_at is null
  );
end $function$;

CREATE OR REPLACE FUNCTION private.is_photo_seen(p_perceptual_hash bit)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from nectar.workout_checkin_photos p
    where p.hash_bands && private.photo_bands(p_perceptual_hash)
      and bit_count(p.perceptual_hash # p_perceptual_hash) <= 4
  );
end $function$;

CREATE OR REPLACE FUNCTION private.is_primary_admin(p_team_id uuid, p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.teams t where t.id = p_team_id and t.admin_id = p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.is_program()
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN COALESCE(((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb ? 'token'::text), false);

CREATE OR REPLACE FUNCTION private.is_quiet(p_start time without time zone, p_end time without time zone, p_local time without time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_start < p_end) THEN ((p_local >= p_start) AND (p_local < p_end)) ELSE ((p_local >= p_start) OR (p_local < p_end)) END;

CREATE OR REPLACE FUNCTION private.is_super_admin()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.user_roles r where r.user_id = private.actor_id() and r.role = 'super_admin')
    and not private.is_program();
end $function$;

CREATE OR REPLACE FUNCTION private.is_unsettled(p_notebook_id uuid, p_team_id uuid, p_org_id uuid, p_metadata_audience_id uuid, p_content_audience_id uuid, p_sources uuid[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (ARRAY[p_notebook_id, p_team_id, p_org_id, p_metadata_audience_id, p_content_audience_id] && p_sources);

CREATE OR REPLACE FUNCTION private.is_within(p_inner uuid, p_outer uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return p_outer = p_inner or p_outer = private.public_audience() or p_inner = private.actor_id()
    or exists (select from nectar.teams t where t.id = p_inner and t.org_id = p_outer);
end $function$;

CREATE OR REPLACE FUNCTION private.job_states(p_names text[], p_now timestamp with time zone)
 RETURNS TABLE(name text, known_since timestamp with time zone, last_started_at timestamp with time zone, last_succeeded_at timestamp with time zone, running boolean, last_results jsonb)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.jobs (name, known_since)
  select n, p_now from unnest(p_names) n where not exists (select from private.jobs j where j.name = n)
  on conflict do nothing;
  return query
    select j.name, j.known_since,
      (select r.started_at from private.job_runs r where r.job = j.name order by r.started_at desc limit 1),
      (select r.finished_at from private.job_runs r where r.job = j.name and r.succeeded order by r.started_at desc limit 1),
      exists (select from private.leases l where l.name = j.name and l.expires_at > now()),
      (
        select r.results from private.job_runs r where r.job = j.name and r.finished_at is not null
        order by r.started_at desc limit 1
      )
    from private.jobs j where j.name = any (p_names);
end $function$;

CREATE OR REPLACE FUNCTION private.join_battle(p_date date)
 RETURNS date
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_week date := private.week_start(p_date);
  v_status nectar.battle_status;
begin
  loop
    perform private.share_battle(v_week);
    -- Written only if needed: after a write all check-ins of the week would wait in line for the row.
    select b.battle_status into v_status from nectar.battles b where b.week_start_date = v_week;
    if v_status = 'completed' then
      v_week := v_week + 7;
      continue;
    end if;
    if v_status is distinct from 'in_progress' then
      insert into nectar.battles as b (week_start_date, battle_status) values (v_week, 'in_progress')
      on conflict on constraint battles_one_a_week do update
        set battle_status = 'in_progress', updated_at = now() where b.battle_status = 'pending';
    end if;
    return v_week;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION private.judge_push_deliveries(p_notification_ids uuid[], p_subscription_ids uuid[], p_max_attempts integer, p_moment timestamp with time zone)
 RETURNS TABLE(notification_id uuid, subscription_id uuid, attempts integer, expires_at timestamp with time zone, endpoint text, p256dh text, auth text, type nectar.notification_type, data jsonb, quiet_until timestamp with time zone, verdict text)
 LANGUAGE plpgsql
 STABLE ROWS 100
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  return query
  with due as (
    select d.notification_id, d.subscription_id, d.attempts,
      -- The end of quiet hours, if the row is due because of it and no settings have changed since.
      case when d.next_attempt_at = d.waited_until then d.waited_until end as ended_at,
      -- Quiet hours do not count as age.
      coalesce(d.waited_until, d.created_at) + interval '1 day' as expires_at
    from unnest(p_notification_ids, p_subscription_ids) as k (notification_id, subscription_id)
    join private.push_deliveries d
      on d.notification_id = k.notification_id and d.subscription_id = k.subscription_id
  ), known as (
    select due.notification_id, due.subscription_id, due.attempts, due.expires_at,
      s.endpoint, s.p256dh, s.auth, n.type, n.data,
      n.user_id <> s.user_id as has_moved,
      n.read_at is not null as is_read,
      a.preferences -> 'notifications' is not distinct from 'false'::jsonb
        or not private.push_setting(n.type, t.push)
        or a.erases_at is not null
        or n.caused_by is not null and private.has_block(n.user_id, n.caused_by) as is_silenced,
      case when t.quiet_start is not null then
        private.quiet_until(
          private.known_zone(a.timezone), t.quiet_start, t.quiet_end,
          -- The job that comes after the end sends what has waited, even if quiet hours have begun again before it.
          case
            when due.ended_at >= p_moment - interval '5 minutes' then due.ended_at
            else p_moment
          end
        )
      end as quiet_until
    from due
    join nectar.notifications n on n.id = due.notification_id
    join nectar.push_subscriptions s on s.id = due.subscription_id
    join nectar.accounts a on a.user_id = n.user_id
    left join nectar.notification_settings t on t.user_id = n.user_id
  )
  select k.notification_id, k.subscription_id, k.attempts, k.expires_at, k.endpoint, k.p256dh, k.auth, k.type, k.data,
    k.quiet_until,
    case
      when k.has_moved then 'moved'
      when k.is_read then 'read'
      when k.is_silenced then 'silenced'
      when k.expires_at <= p_moment then 'expired'
      when k.attempts >= p_max_attempts then 'given_up'
      -- After quiet hours the window is open or over.
      when k.quiet_until is not null and k.type = 'checkin_reminder' then 'silenced'
    end as verdict
  from known k;
end $function$;

CREATE OR REPLACE FUNCTION private.keep_archive(p_path text, p_until timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.stored_files_to_remove f set remove_after = p_until where f.store = 'private' and f.path = p_path;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION private.keep_file(p_store text, p_path text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from private.stored_files_to_remove f where f.store = p_store and f.path = p_path;
end $function$;

CREATE OR REPLACE FUNCTION private.keep_owner_in()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- When the organization itself is being deleted, its row is gone by now, and its members may be deleted too.
  if exists (select from nectar.organizations o where o.id = old.org_id and o.owner_id = old.user_id) then
    raise exception 'the owner cannot leave' using errcode = 'NX000', detail = 'organization.owner_cannot_leave';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.keep_suspension(p_user_id uuid, p_moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.kept_suspensions as k (address_hash, expires_at)
  select private.email_address_hash(private.confirmed_address(p_user_id)), a.suspended_until from nectar.accounts a
  where a.user_id = p_user_id and a.suspended_until > p_moment and private.confirmed_address(p_user_id) is not null
  on conflict (address_hash) do update set expires_at = greatest(k.expires_at, excluded.expires_at);
end $function$;

CREATE OR REPLACE FUNCTION private.kept_suspension(p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select k.expires_at from private.kept_suspensions k
    where k.address_hash = private.email_address_hash(private.confirmed_address(p_user_id))
  );
end $function$;

CREATE OR REPLACE FUNCTION private.known_zone(p_zone text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform now() at time zone p_zone;
  return p_zone;
exception when invalid_parameter_value then
  return 'UTC';
end $function$;

CREATE OR REPLACE FUNCTION private.last_before_preview(p_notebook_id uuid, OUT created_at timestamp with time zone, OUT id uuid)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  select e.created_at, e.id into created_at, id from nectar.journal_entries e where e.notebook_id = p_notebook_id
  order by e.created_at desc, e.id desc offset private.preview_limit() limit 1;
  if not found then
    created_at := '-infinity';
    id := '00000000-0000-0000-0000-000000000000';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.last_entry_day(p_author_id uuid)
 RETURNS date
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (private.date_of(p_author_id, now()) + 1);

CREATE OR REPLACE FUNCTION private.latest_entries_of_notebook(p_notebook_id uuid, p_scope text, p_after_date date, p_after timestamp with time zone, p_after_id uuid, p_until date, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
        declare
          v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
        begin
          return array(
            select r.id from nectar.journal_entries r
            where r.notebook_id = p_notebook_id
              and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
              and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id) and r.entry_date >= p_until
            order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
          );
        end
        $function$;

CREATE OR REPLACE FUNCTION private.latest_public_journal_entries(p_blocked uuid[], p_after_date date, p_after timestamp with time zone, p_after_id uuid, p_until date, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
      declare
        v_day date := p_after_date;
        v_ids uuid[];
      begin
        v_ids := array(
          select n.id
          from (
            select r.id, r.user_id from nectar.journal_entries r
            where r.metadata_audience_id = private.public_audience()
              and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id) and r.entry_date >= p_until
            order by r.entry_date desc, r.created_at desc, r.id desc limit (select 20 * p_max)
          ) n
          where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
        );
        if cardinality(v_ids) = p_max or not exists (
          select from nectar.journal_entries r
          where r.metadata_audience_id = private.public_audience()
            and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id) and r.entry_date >= p_until
          order by r.entry_date desc, r.created_at desc, r.id desc offset (select 20 * p_max)
        ) then
          return v_ids;
        end if;
        -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
        -- day by day, the index is searched between their ids.
        v_ids := '{}';
        while cardinality(v_ids) < p_max and not v_day < p_until loop
          v_ids := v_ids || array(
            select r.id
            from (
              select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
              from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
            ) others
            cross join lateral (
              select r.id, r.entry_date, r.created_at from nectar.journal_entries r
              where r.metadata_audience_id = private.public_audience()
                and r.entry_date = v_day
                and r.user_id > others.after_id and r.user_id < others.before_id
                and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id) and r.entry_date >= p_until
              offset 0
            ) r
            order by r.entry_date desc, r.created_at desc, r.id desc limit (select p_max - cardinality(v_ids))
          );
          v_day := (
            select r.entry_date from nectar.journal_entries r
            where r.metadata_audience_id = private.public_audience()
              and r.entry_date < v_day
            order by r.entry_date desc limit 1
          );
        end loop;
        return v_ids;
      end
      $function$;

CREATE OR REPLACE FUNCTION private.latest_visible_journal_entries(p_scope text, p_after_date date, p_after timestamp with time zone, p_after_id uuid, p_until date, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
      declare
        v_reader constant uuid := private.actor_id();
        v_shows_everything constant boolean := p_scope = 'all' and private.is_super_admin();
        v_audiences uuid[] := private.audiences_of_scope(p_scope);
        -- Null unless the reader has a block, and the list shows public rows.
        v_blocked constant uuid[] := case
          when p_scope in ('all', 'public') and v_reader is not null and private.public_audience() <> all (v_audiences)
            then private.blocked_users()
        end;
        v_public uuid[];
        v_ids uuid[];
      begin
        -- A reader of many audiences sees much of what is new, so the newest rows of everyone come first. What decides about
        -- the plan is in sub-selects, or the planner makes a new one in every call.
        if v_shows_everything or cardinality(v_audiences) > 20 then
          v_ids := array(
            select n.id
            from (
              select r.id, r.user_id, r.metadata_audience_id from nectar.journal_entries r
              where (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id) and r.entry_date >= p_until order by r.entry_date desc, r.created_at desc, r.id desc
              limit (select case when v_shows_everything then p_max else 20 * p_max end)
            ) n
            where (select v_shows_everything)
              or (p_scope in ('all', 'own') and n.user_id = v_reader)
              or (
                n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader)
              )
              or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
            limit (select p_max)
          );
          if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
          -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
          -- for one row, and only N of them for more.
          v_audiences := array(
            select a.id from unnest(v_audiences) a (id)
            cross join lateral (
              select r.id, r.entry_date, r.created_at from nectar.journal_entries r
              where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id) and r.entry_date >= p_until
              order by r.entry_date desc, r.created_at desc, r.id desc limit 1
            ) r
            order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
          );
        end if;
        if v_blocked is not null then v_public := private.latest_public_journal_entries(v_blocked, p_after_date, p_after, p_after_id, p_until, p_max); end if;
        return array(
          select r.id
          from (
            (
              select r.id, r.entry_date, r.created_at from nectar.journal_entries r
              where p_scope in ('all', 'own') and r.user_id = v_reader
                and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id) and r.entry_date >= p_until
              order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
            )
            union
            (
              select r.id, r.entry_date, r.created_at from unnest(v_audiences) a (id)
              cross join lateral (
                select r.id, r.entry_date, r.created_at from nectar.journal_entries r
                where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                  and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id) and r.entry_date >= p_until
                order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
              ) r
            )
            union
            (
              select r.id, r.entry_date, r.created_at from unnest((select v_public)) v (id)
              cross join lateral (select r.id, r.entry_date, r.created_at from nectar.journal_entries r where r.id = v.id limit 1) r
            )
          ) r
          order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
        );
      end
      $function$;

CREATE OR REPLACE FUNCTION private.leaderboard_rank(p_user_id uuid, OUT rank bigint, OUT as_of timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_key numeric;
  v_checkpoint private.leaderboard_checkpoints;
begin
  select b.leaderboard_key into v_key from nectar.user_badges b where b.user_id = p_user_id and b.is_listed;
  if not found then return; end if;
  select * into v_checkpoint from private.leaderboard_checkpoints k
  where (k.leaderboard_key, k.user_id) <= (v_key, p_user_id) order by k.leaderboard_key desc, k.user_id desc limit 1;
  if found then
    as_of := v_checkpoint.counted_at;
    -- The keys alone as well, because of rows the planner expects too many, and would make a plan for every call.
    select 1 + v_checkpoint.people_ahead + count(*) into rank from nectar.user_badges b
    where b.is_listed and b.leaderboard_key between v_checkpoint.leaderboard_key and v_key
      and (b.leaderboard_key, b.user_id) >= (v_checkpoint.leaderboard_key, v_checkpoint.user_id)
      and (b.leaderboard_key, b.user_id) < (v_key, p_user_id);
  else
    select 1 + count(*) into rank from nectar.user_badges b
    where b.is_listed and (b.leaderboard_key, b.user_id) < (v_key, p_user_id);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.leave_tone_packs_to_buyers(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_bought uuid[];
begin
  perform private.lock_profiles(array(
    select s.user_id from nectar.tone_pack_shares s where s.owner_id = p_user_id
    union select a.user_id from nectar.accounts a
      where a.active_tone_pack_id in (select p.id from nectar.tone_packs p where p.owner_id = p_user_id)
  ));
  -- A purchase at the same time locks the pack too: it is seen here, or finds no pack.
  perform from nectar.tone_packs p where p.owner_id = p_user_id order by p.id for update;
  v_bought := array(
    select p.id from nectar.tone_packs p
    where p.owner_id = p_user_id and exists (select from nectar.tone_pack_purchases b where b.pack_id = p.id)
  );
  delete from nectar.tone_pack_shares s where s.pack_id = any (v_bought);
  delete from private.idempotency_keys k
  using nectar.tone_pack_purchases b
  where b.pack_id = any (v_bought) and k.resource_id in (b.id, b.pack_id, b.transaction_id);
  -- Its text has the name of the pack.
  update nectar.drop_transactions t set description = 'Tone pack'
  from nectar.tone_pack_purchases b where b.pack_id = any (v_bought) and t.id = b.transaction_id;
  update nectar.tone_packs p
  set owner_id = private.system_user_id(), name = initcap(p.theme::text), description = null, is_public = false,
      deleted_at = coalesce(p.deleted_at, now())
  where p.id = any (v_bought);
  perform private.delete_unused_images(v_bought);
end $function$;

CREATE OR REPLACE FUNCTION private.ledger_differences()
 RETURNS SETOF private.reconciliation_difference
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    with movements as (
      select t.user_id, t.type, t.amount, t.balance_after, t.created_at,
        t.amount + lead(t.balance_after, 1, 0) over newest_first as expected_after
      from nectar.drop_transactions t
      window newest_first as (partition by t.user_id order by t.created_at desc, t.id desc)
    ), books as (
      select m.user_id, count(*) as movements, sum(m.amount) as total, min(m.balance_after) as lowest,
        count(*) filter (where m.type = 'signup_bonus') as bonuses,
        count(*) filter (where m.type = 'monthly_recurring') as awards,
        min(array[extract(epoch from m.created_at), m.expected_after, m.balance_after])
          filter (where m.balance_after <> m.expected_after) as first_gap
      from movements m group by m.user_id
    ), awarded as (
      select w.user_id, count(distinct w.month) as months from nectar.monthly_drop_awards w group by w.user_id
    ), people as (
      select coalesce(a.user_id, b.user_id) as user_id, coalesce(a.drops_balance, 0) as balance,
        coalesce(b.total, 0) as total, least(a.drops_balance, b.lowest, 0) as lowest, b.first_gap,
        coalesce(b.bonuses, 0) as bonuses, coalesce(not p.is_ai, false)::int as expected_bonuses,
        coalesce(b.awards, 0) as awards, coalesce(w.months, 0) as months
      from nectar.accounts a
      full join books b on b.user_id = a.user_id
      left join nectar.profiles p on p.id = a.user_id
      left join awarded w on w.user_id = b.user_id
    ), wrong as (
      -- Nearly everyone is right, so nothing is stored or compared one by one for them.
      select * from people p
      where p.balance <> p.total or p.first_gap is not null or p.lowest < 0 or p.bonuses < p.expected_bonuses
        or p.awards > p.months
    )
    select w.user_id, d.kind, d.expected, d.found from wrong w
    cross join lateral (
      values
        ('balance'::private.ledger_difference, w.total, w.balance),
        ('gap', w.first_gap[2]::bigint, w.first_gap[3]::bigint),
        ('negative', 0, w.lowest),
        ('missing_signup_bonus', greatest(w.bonuses, w.expected_bonuses), w.bonuses),
        ('twice_in_a_month', w.months, greatest(w.months, w.awards))
    ) d (kind, expected, found)
    where d.expected <> d.found
    union all
    select d.user_id, d.kind, d.expected, d.found from private.pack_differences() d;
end $function$;

CREATE OR REPLACE FUNCTION private.lets_assistant_serve(p_account nectar.accounts, p_job nectar.assistant_job)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_account).read_notes_enabled AND ((p_account).erases_at IS NULL) AND ((p_job = 'note_analysis'::nectar.assistant_job) OR (p_account).check_in_enabled));

CREATE OR REPLACE FUNCTION private.list_badges(p_user_ids uuid[])
 RETURNS private.badge[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select private.present_badge(b) from nectar.user_badges b
    where b.user_id = any ((select p_user_ids)::uuid[]) and b.user_id <> all ((select private.blocked_users())::uuid[])
  );
end $function$;

CREATE OR REPLACE FUNCTION private.list_check_ins(p_date date, p_after timestamp with time zone, p_after_id uuid, p_max integer)
 RETURNS SETOF private.seen_check_in
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    select s.*
    from private.seen_check_ins(array(
      select k.id from nectar.workout_checkins k
      where k.date = p_date and (k.created_at, k.id) < (p_after, p_after_id)
      order by k.created_at desc, k.id desc limit p_max
    )) s;
end $function$;

CREATE OR REPLACE FUNCTION private.list_goals(p_scope text, p_status nectar.goal_status, p_after timestamp with time zone, p_after_id uuid, p_max integer, p_moment timestamp with time zone)
 RETURNS SETOF private.shown_goal
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_ids constant uuid[] := private.newest_visible_goals(p_scope, p_after, p_after_id, '-infinity', p_status, p_max);
begin
  -- The last row is read to know whether there is a next page.
  if not current_setting('transaction_read_only')::boolean then perform private.log_reads(v_ids[:p_max - 1], true); end if;
  return query select * from private.shown_goals(v_ids, p_moment);
end $function$;

CREATE OR REPLACE FUNCTION private.list_leaderboard(p_max integer)
 RETURNS TABLE(rank bigint, user_id uuid, full_name text, avatar_url text, badge_level smallint, total_drops_sent integer, engagement_increases integer, success_rate numeric)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_blocked constant uuid[] := private.blocked_users();
begin
  return query
    with blocked as materialized (
      select b.leaderboard_key, b.user_id from nectar.user_badges b
      where b.user_id = any ((select v_blocked)::uuid[]) and b.is_listed
    )
    select
      row_number() over (order by top.leaderboard_key, top.user_id) + (
        -- Blocked people are not in the list, but keep their ranks.
        select count(*) from blocked k where (k.leaderboard_key, k.user_id) < (top.leaderboard_key, top.user_id)
      ),
      top.user_id, top.full_name, top.avatar_url, top.level, top.total_drops_sent, top.engagement_increases,
      top.success_rate
    from (
      select b.*, p.full_name, p.avatar_url from nectar.user_badges b
      join nectar.profiles p on p.id = b.user_id
      where b.is_listed and b.user_id <> all ((select v_blocked)::uuid[]) order by b.leaderboard_key, b.user_id
      -- The maximum of a page. For a limit that it does not know, the planner would make a plan in every call.
      limit 100
    ) top
    order by top.leaderboard_key, top.user_id limit p_max;
end $function$;

CREATE OR REPLACE FUNCTION private.list_messages(p_room_id uuid, p_after timestamp with time zone, p_after_id uuid, p_max integer)
 RETURNS private.sent_message[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not current_setting('transaction_read_only')::boolean then perform private.log_reads(array[p_room_id], true); end if;
  return array(
    select row(
      m.id, m.team_id, m.squad_id, m.entry_id, m.goal_id, row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card, m.content,
      private.rfc3339(m.created_at)
    )::private.sent_message
    from nectar.team_messages m
    join nectar.profiles p on p.id = m.sender_id
    where m.room_id = p_room_id and (m.created_at, m.id) < (p_after, p_after_id) order by m.created_at desc, m.id desc
    limit p_max
  );
end $function$;

CREATE OR REPLACE FUNCTION private.list_my_invitations(p_after timestamp with time zone, p_after_id uuid, p_max integer)
 RETURNS private.received_invitation[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  return array(
    select private.present_invitation(mine)
    from (
      select i.* from nectar.invitations i
      where lower(i.email) = (select lower(private.confirmed_address(v_actor)))
        and private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending'
        and (i.created_at, i.id) < (p_after, p_after_id)
        and not private.has_block(i.invited_by, v_actor)
        and not exists (select from nectar.organization_members m where m.org_id = i.org_id and m.user_id = v_actor)
      order by i.created_at desc, i.id desc limit p_max
    ) mine
    order by mine.created_at desc, mine.id desc
  );
end $function$;

CREATE OR REPLACE FUNCTION private.list_notifications(p_user_id uuid, p_unread boolean, p_after timestamp with time zone, p_after_id uuid, p_max integer, p_max_counted integer)
 RETURNS private.notification_page
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_page private.sent_notification[];
begin
  if p_unread then
    v_page := array(
      select row(n.id, n.type, n.data, private.rfc3339(n.created_at), null)::private.sent_notification
      from nectar.notifications n
      where n.user_id = p_user_id and n.read_at is null and (n.created_at, n.id) < (p_after, p_after_id)
      order by n.created_at desc, n.id desc limit p_max
    );
  else
    v_page := array(
      select row(n.id, n.type, n.data, private.rfc3339(n.created_at), private.rfc3339(n.read_at))::private.sent_notification
      from nectar.notifications n where n.user_id = p_user_id and (n.created_at, n.id) < (p_after, p_after_id)
      order by n.created_at desc, n.id desc limit p_max
    );
  end if;
  return row(v_page, (
    select count(*)::integer
    from (select from nectar.notifications n where n.user_id = p_user_id and n.read_at is null limit p_max_counted) unread
  ))::private.notification_page;
end $function$;

CREATE OR REPLACE FUNCTION private.list_people(p_query text, p_org_id uuid, p_after_name text, p_after_id uuid, p_max integer)
 RETURNS TABLE(id uuid, full_name text, avatar_url text, is_ai boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_not_listed constant uuid[] := private.blocked_users() || v_actor;
  v_from constant text := left(private.search_form(p_query), 100);
  v_role text;
begin
  if p_org_id is not null then
    v_role := private.my_organization_role(p_org_id);
    if v_role is null then
      raise exception 'no such organization' using errcode = 'NX000', detail = 'organization.not_found';
    end if;
    if v_role = 'none' and not private.is_super_admin() then
      raise exception 'not a member' using errcode = 'NX000', detail = 'organization.not_a_reader';
    end if;
  end if;
  -- The inner limits make each query a search; a join may read all names, or all profiles.
  if p_query is null then
    return query
      select p.id, n.full_name, p.avatar_url, p.is_ai
      from (
        select m.full_name, m.user_id from nectar.member_names m
        where m.org_id = p_org_id and m.word_number = 1
          and (m.full_name, m.user_id) > (p_after_name, p_after_id)
          and m.user_id <> all ((select v_not_listed)::uuid[])
        order by m.full_name, m.user_id limit (select p_max)
      ) n
      cross join lateral (select c.id, c.avatar_url, c.is_ai from nectar.profiles c where c.id = n.user_id limit 1) p
      order by n.full_name, n.user_id;
  elsif v_from <> '' then
    return query
      select p.id, n.full_name, p.avatar_url, p.is_ai
      from (
        select distinct m.full_name, m.user_id
        from unnest(
          case when p_org_id is null then array(select private.my_organization_ids()) else array[p_org_id] end
        ) o (org_id)
        cross join lateral (
          select distinct w.full_name, w.user_id from nectar.member_names w
          -- U+10FFFF is no character, so what begins with the words is between these two.
          where w.org_id = o.org_id and w.search_text >= v_from and w.search_text < v_from || U&'\+10FFFF'
            and (w.full_name, w.user_id) > (p_after_name, p_after_id)
            and w.user_id <> all ((select v_not_listed)::uuid[])
          order by w.full_name, w.user_id limit (select p_max)
        ) m
        order by m.full_name, m.user_id limit (select p_max)
      ) n
      cross join lateral (select c.id, c.avatar_url, c.is_ai from nectar.profiles c where c.id = n.user_id limit 1) p
      order by n.full_name, n.user_id;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.list_pictures(p_entry_ids uuid[])
 RETURNS SETOF private.seen_picture
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not current_setting('transaction_read_only')::boolean then
    perform private.log_reads(p_entry_ids, true);
  end if;
  return query
    select p.id, p.entry_id, p.position, p.caption, p.width, p.height, p.size_bytes, p.file_key, p.thumbnail_key,
      private.rfc3339(p.created_at)
    from unnest((select p_entry_ids)) with ordinality e (id, place)
    join nectar.entry_pictures p on p.entry_id = e.id
    order by e.place, p.position;
end $function$;

CREATE OR REPLACE FUNCTION private.list_received_drops(p_user_id uuid, p_unread boolean, p_after timestamp with time zone, p_after_id uuid, p_max integer)
 RETURNS private.received_drops
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_page private.received_drop[];
begin
  if p_unread then
    v_page := array(
      select d.drop from nectar.drop_objects d
      where d.recipient_id = p_user_id and d.read_at is null and (d.created_at, d.id) < (p_after, p_after_id)
      order by d.created_at desc, d.id desc limit p_max
    );
  else
    v_page := array(
      select d.drop from nectar.drop_objects d
      where d.recipient_id = p_user_id and (d.created_at, d.id) < (p_after, p_after_id)
      order by d.created_at desc, d.id desc limit p_max
    );
  end if;
  return row(
    v_page, (select count(*) from nectar.encouragement_drops d where d.recipient_id = p_user_id and d.read_at is null)
  )::private.received_drops;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_battle(p_week date)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('battle of ' || p_week::text, 0));
end $function$;

CREATE OR REPLACE FUNCTION private.lock_check_in(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('check-in of ' || p_user_id::text, 0));
end $function$;

CREATE OR REPLACE FUNCTION private.lock_commented(p_entry_id uuid, p_goal_id uuid, OUT may_comment boolean, OUT is_open boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_thing nectar.journal_entries := private.thing(p_entry_id, p_goal_id);
  v_is_blocked boolean;
begin
  perform private.lock_profile(v_thing.user_id);
  perform from nectar.journal_entry_contents c where c.entry_id = p_entry_id for no key update;
  perform from nectar.goal_contents c where c.goal_id = p_goal_id for no key update;
  v_thing := private.thing(p_entry_id, p_goal_id);
  is_open := v_thing.comments_enabled;
  -- Blocks hide nothing from super admins.
  v_is_blocked := private.has_block(v_actor, v_thing.user_id) and not private.is_super_admin();
  may_comment := v_thing.user_id = v_actor
    or (private.axes_seen_by(v_actor, v_thing, v_is_blocked)).content
    and (
      private.public_audience() <> any (array[v_thing.metadata_audience_id, v_thing.content_audience_id])
      or private.shares_organization(v_thing.user_id)
    );
end $function$;

CREATE OR REPLACE FUNCTION private.lock_for_check_ins(p_days jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Profiles first, as account deletion does: of everyone whose chain row is locked or who may be notified.
  perform
  from nectar.profiles p
  where p.id = any (array(
    select unnest(array[n.user_id, c.before_user_id, c.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id])
    from jsonb_to_recordset(p_days) n (user_id uuid, date date)
    left join lateral (select c.* from nectar.chains c where c.user_id = n.user_id and c.date = n.date limit 1) c on true
    left join lateral (select q.* from nectar.squads q where q.id = c.squad_id limit 1) q on true
  ))
  for key share;
  -- In the order of the chain: neighbors often check in at the same time, and each lost deadlock would cost a second.
  perform
  from nectar.chains c
  where c.id = any (array(
    select unnest(array[own.id, b.id]) from jsonb_to_recordset(p_days) n (user_id uuid, date date)
    cross join lateral (select c.* from nectar.chains c where c.user_id = n.user_id and c.date = n.date limit 1) own
    left join lateral (
      select c.id from nectar.chains c where c.user_id = own.before_user_id and c.date = own.date limit 1
    ) b on true
  ))
  order by c.date, c.window_starts_at, c.user_id for no key update;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_for_review(p_checkin_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_owner uuid;
  v_played_on date;
begin
  select k.user_id, k.date into v_owner, v_played_on from nectar.workout_checkins k where k.id = p_checkin_id;
  if not found then return; end if;
  -- As a check-in locks, and in its order.
  perform private.lock_check_in(v_owner);
  perform private.lock_profiles(array(
    select v_owner
    union
    select c.after_user_id from nectar.chains c where c.user_id = v_owner and c.date = v_played_on
  ));
  perform
  from nectar.chains c where c.user_id = v_owner and c.date between v_played_on and v_played_on + 6 order by c.date
  for no key update;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_group(p_group uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_teams constant uuid[] := array(select t.id from nectar.teams t where t.id = p_group or t.org_id = p_group);
begin
  perform private.lock_profiles(array(
    select m.user_id from nectar.organization_members m where m.org_id = p_group
    union select m.user_id from nectar.team_members m where m.team_id = any (v_teams)
    union select n.user_id from nectar.notebooks n where n.org_id = p_group
    union select n.user_id from nectar.notebooks n where n.team_id = any (v_teams)
    union select g.user_id from nectar.goals g where g.org_id = p_group
    union select g.user_id from nectar.goals g where g.team_id = any (v_teams)
    union select e.user_id from nectar.journal_entries e where e.org_id = p_group
    union select e.user_id from nectar.journal_entries e where e.team_id = any (v_teams)
    union select c.sender_id from nectar.team_messages c where c.team_id = any (v_teams)
  ));
  perform from nectar.notebooks n where n.org_id = p_group or n.team_id = any (v_teams) order by n.id for no key update;
  perform from nectar.goals g where g.org_id = p_group or g.team_id = any (v_teams) order by g.id for no key update;
  perform from nectar.organizations o where o.id = p_group for update;
  perform from nectar.teams t where t.id = any (v_teams) order by t.id for update;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_importer(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_user_id uuid;
begin
  select i.user_id into v_user_id from nectar.journal_imports i where i.id = p_id and i.status = 'running';
  return found and private.lock_writer(v_user_id, false, false);
end $function$;

CREATE OR REPLACE FUNCTION private.lock_invitee(p_address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_invitee constant uuid := private.invitee(p_address);
begin
  if v_invitee is not null then
    perform private.lock_profiles(array[v_invitee]);
    perform private.lock_pair(private.actor_id(), v_invitee, true);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_membership(p_group uuid, p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_teams constant uuid[] := array(
    select m.team_id from nectar.team_members m where m.user_id = p_user_id and p_group in (m.team_id, m.org_id)
  );
begin
  perform private.lock_profiles(array[p_user_id]);
  perform from nectar.notebooks n where n.user_id = p_user_id and (n.org_id = p_group or n.team_id = any (v_teams))
    order by n.id for no key update;
  perform from nectar.goals g where g.user_id = p_user_id and (g.org_id = p_group or g.team_id = any (v_teams))
    order by g.id for no key update;
  perform from nectar.organizations o where o.id = p_group for key share;
  perform from nectar.teams t where t.id = any (v_teams) order by t.id for update;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_memberships(p_author_id uuid, p_org_ids uuid[], p_team_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array_remove(p_org_ids, null);
  v_team_ids constant uuid[] := array_remove(p_team_ids, null);
  v_groups uuid[] := '{}';
begin
  -- The organizations and the teams before the memberships, as their deletion does (private.lock_group), to avoid
  -- deadlocks. A removal that runs at the same time either waits for this transaction and then withdraws its shares as
  -- well, or is seen here.
  if v_org_ids <> '{}' then
    perform from nectar.organizations o where o.id = any ((select v_org_ids)::uuid[]) for key share;
  end if;
  if v_team_ids <> '{}' then
    perform from nectar.teams t where t.id = any ((select v_team_ids)::uuid[]) for key share;
    v_groups := array(
      select m.team_id from nectar.team_members m
      where m.team_id = any ((select v_team_ids)::uuid[]) and m.user_id = p_author_id for key share
    );
  end if;
  if v_org_ids <> '{}' then
    v_groups := v_groups || array(
      select m.org_id from nectar.organization_members m
      where m.org_id = any ((select v_org_ids)::uuid[]) and m.user_id = p_author_id for key share
    );
  end if;
  return v_groups;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_moderation(p_owner_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The lock that a suspension needs, so that none asks for a stronger lock later, which two at once would not get.
  perform from nectar.profiles p where p.id = p_owner_id for update;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_pair(p_one uuid, p_other uuid, p_shared boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_pair constant bigint := hashtextextended('block ' || least(p_one, p_other) || ' ' || greatest(p_one, p_other), 0);
begin
  if p_shared then
    perform pg_advisory_xact_lock_shared(v_pair);
  else
    perform pg_advisory_xact_lock(v_pair);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_profile(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from nectar.profiles p where p.id = p_user_id for key share;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_profiles(p_user_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- In any order: these locks are shared, and the only one that conflicts is that of a deletion. It has one profile,
  -- and deletions run one at a time.
  perform from nectar.profiles p where p.id = any ((select p_user_ids)::uuid[]) for key share;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_recounted(p_checkin_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- In the order of dates and chains: neighbors often check in at the same time, and each lost deadlock would cost a
  -- second. The later of two recounts reads what the earlier one has committed.
  perform
  from nectar.workout_checkins k
  left join nectar.chains c on c.user_id = k.user_id and c.date = k.date
  where k.id = any (p_checkin_ids) order by k.date, c.window_starts_at, k.user_id for no key update of k;
  -- Shared with check-ins: a battle either ended before this and keeps its chips, or ends with what is written here.
  perform private.share_battle(b.week)
  from (
    select distinct k.battle_week_start as week from nectar.workout_checkins k
    where k.id = any (p_checkin_ids) and k.status = 'verified'
  ) b;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_report(p_report_id uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_report nectar.reports;
  v_reporters uuid[];
begin
  select * into v_report from nectar.reports r where r.id = p_report_id;
  -- Locks the profiles first, in the same order as account deletion, to avoid deadlocks.
  v_reporters := array(
    select r.reporter_id from nectar.reports r
    where r.target_id = v_report.target_id and r.target_type = v_report.target_type and r.status = 'open'
  );
  perform private.lock_profiles(v_reporters);
  perform private.lock_moderation(v_report.owner_id);
  return v_reporters;
end $function$;

CREATE OR REPLACE FUNCTION private.lock_writer(p_user_id uuid, p_while_suspended boolean, p_while_closing boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_suspended_until timestamptz;
  v_erases_at timestamptz;
begin
  perform from nectar.profiles p where p.id = p_user_id for key share;
  if not found then return false; end if;
  -- A statement of its own: one that waited for a suspension to commit would still see the account as it was before.
  select a.suspended_until, a.erases_at into v_suspended_until, v_erases_at
  from nectar.accounts a where a.user_id = p_user_id;
  if v_suspended_until > now() and not p_while_suspended then
    raise exception 'suspended' using errcode = 'NX000', detail = 'auth.suspended',
      column = 'suspended_until', hint = private.rfc3339(v_suspended_until);
  end if;
  if v_erases_at is not null and not p_while_closing then
    raise exception 'closing' using errcode = 'NX000', detail = 'account.closing',
      column = 'erases_at', hint = private.rfc3339(v_erases_at);
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.log_reads(p_ids uuid[], p_with_content boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_reader constant uuid := private.actor_id();
  v_audiences uuid[];
  v_withdrawn uuid[];
begin
  if not private.is_super_admin() then return; end if;
  v_audiences := private.my_audiences();
  v_withdrawn := private.withdrawn_shares();
  perform private.lock_profiles(array(
    select e.user_id from nectar.journal_entries e where e.id = any ((select p_ids)::uuid[])
    union all
    select g.user_id from nectar.goals g where g.id = any ((select p_ids)::uuid[])
  ));
  insert into private.logged_reads (entry_id, goal_id, user_id, reader_id, date)
  select r.entry_id, r.goal_id, r.user_id, v_reader, (now() at time zone 'UTC')::date
  from (
    select e.id as entry_id, null::uuid as goal_id, e.user_id
    from nectar.journal_entries e
    where e.id = any ((select p_ids)::uuid[])
      and (
        e.metadata_audience_id <> all (v_audiences)
        or private.is_withdrawn(
          e.user_id, e.notebook_id, e.inherit_visibility and 'user' in (e.metadata_visibility, e.content_visibility),
          e.metadata_audience_id, v_withdrawn
        )
        or (
          (
            e.content_audience_id <> all (v_audiences)
            or private.member_share(e.user_id, e.content_audience_id) = any (v_withdrawn)
          )
          and (
            p_with_content
            -- A mood that was found in the content is shown with the metadata.
            or e.mood is null and exists (
              select from nectar.journal_entry_contents c where c.entry_id = e.id and c.found_mood is not null
            )
          )
        )
      )
    union all
    select null, g.id, g.user_id from nectar.goals g
    where g.id = any ((select p_ids)::uuid[])
      and (g.metadata_audience_id <> all (v_audiences) or (p_with_content and g.content_audience_id <> all (v_audiences)))
  ) r
  where r.user_id <> v_reader
  on conflict do nothing;
end $function$;

CREATE OR REPLACE FUNCTION private.lowercase_tags(p_tags text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return array(select lower(t.tag) from unnest(p_tags) t (tag));
end $function$;

CREATE OR REPLACE FUNCTION private.match_again(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.players_to_match (user_id)
  select w.user_id from nectar.workout_windows w where w.user_id = p_user_id;
end $function$;

CREATE OR REPLACE FUNCTION private.matching_entries(p_filter jsonb, p_ids uuid[], p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_tags constant text[] := case when p_filter ? 'tags'
    then private.lowercase_tags(array(select jsonb_array_elements_text(p_filter -> 'tags'))) end;
  v_mood constant text := lower(p_filter ->> 'mood');
  v_q constant text := p_filter ->> 'q';
  v_pattern constant text := '%' || regexp_replace(v_q, '([\\%_])', '\\\1', 'g') || '%';
  v_from constant timestamptz := coalesce(p_filter ->> 'from', '-infinity');
  v_before constant timestamptz := coalesce(p_filter ->> 'before', 'infinity');
  v_date_from constant date := coalesce(p_filter ->> 'date_from', '-infinity');
  v_date_to constant date := coalesce(p_filter ->> 'date_to', 'infinity');
begin
  return array(
    select batch.id from unnest(p_ids) with ordinality batch (id, place)
    -- The limits keep the planner from reading all entries for a batch of them.
    cross join lateral (
      select e.title, e.mood, e.tag_keys, e.entry_date, e.created_at
      from nectar.journal_entries e where e.id = batch.id limit 1
    ) e
    left join lateral (
      select c.content, c.found_mood from nectar.journal_entry_contents c
      where c.entry_id = batch.id and (v_q is not null or (v_mood is not null and e.mood is null)) limit 1
    ) c on true
    where (v_tags is null or e.tag_keys @> v_tags)
      and (v_mood is null or lower(coalesce(e.mood, c.found_mood)) = v_mood)
      and (v_q is null or e.title ilike v_pattern or c.content ilike v_pattern)
      and e.entry_date between v_date_from and v_date_to
      and e.created_at >= v_from and e.created_at < v_before
    order by batch.place limit p_max
  );
end $function$;

CREATE OR REPLACE FUNCTION private.max_analyses_per_day()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN 3;

CREATE OR REPLACE FUNCTION private.max_attempts_per_turn()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN 3;

CREATE OR REPLACE FUNCTION private.max_settled_at_once()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 200;

CREATE OR REPLACE FUNCTION private.may_email(p_sender_id uuid, p_own_address text, p_recipient text, p_policy text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select case
      when p_policy = 'any' or lower(p_recipient) = lower(p_own_address) then true
      when p_policy = 'members' then exists (
        select from nectar.accounts a
        join auth.users u on u.id = a.user_id and u.email_confirmed_at is not null
        join nectar.organization_members theirs on theirs.user_id = a.user_id and theirs.acted_at is not null
        join nectar.organization_members mine on mine.org_id = theirs.org_id and mine.user_id = p_sender_id
        where lower(a.email) = lower(p_recipient)
      )
      else false
    end
  $function$;

CREATE OR REPLACE FUNCTION private.may_use_tone_pack(p_user_id uuid, p_pack_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select exists (
        select from nectar.tone_packs p where p.id = p_pack_id and p.deleted_at is null and p.owner_id = p_user_id
      )
      or exists (
        select from nectar.tone_packs p
        where p.id = p_pack_id and p.hidden_at is null and (
          (p.is_public and p.price_drops = 0 and not private.has_block(p_user_id, p.owner_id))
          or exists (select from nectar.tone_pack_shares s where s.pack_id = p_pack_id and s.user_id = p_user_id)
          or exists (
            select from nectar.tone_pack_purchases b
            where b.pack_id = p_pack_id and b.user_id = p_user_id and b.refunded_at is null
          )
        )
      )
  $function$;

CREATE OR REPLACE FUNCTION private.member_share(p_user_id uuid, p_group_id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (md5(((p_user_id)::text || (p_group_id)::text)))::uuid;

CREATE OR REPLACE FUNCTION private.is_withdrawn(p_author_id uuid, p_notebook_id uuid, p_inherits boolean, p_audience_id uuid, p_withdrawn uuid[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((p_inherits AND (p_notebook_id = ANY (p_withdrawn))) IS TRUE) OR (private.member_share(p_author_id, p_audience_id) = ANY (p_withdrawn)));

CREATE OR REPLACE FUNCTION private.moment_tolerance()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
RETURN '00:05:00'::interval;

CREATE OR REPLACE FUNCTION private.monthly_drops(p_is_premium boolean)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN p_is_premium THEN 250 ELSE 30 END;

CREATE OR REPLACE FUNCTION private.mood_term(p_mood text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ('mood:'::text || lower(p_mood));

CREATE OR REPLACE FUNCTION private.mosaics_to_draw(p_moment timestamp with time zone)
 RETURNS SETOF date
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    with recent as (
      -- From yesterday in the last time zone to today in the first one.
      select d.date::date as date
      from generate_series(
        date_trunc('day', p_moment at time zone 'UTC' - interval '12 hours') - interval '1 day',
        p_moment at time zone 'UTC' + interval '14 hours', interval '1 day'
      ) d (date)
    )
    select r.date from recent r
    where exists (select from nectar.chains c where c.date = r.date)
      or exists (select from nectar.mosaics m where m.date = r.date)
    union
    select m.date from nectar.mosaics m
    where m.pending_count > 0 and m.date < (select min(r.date) from recent r)
      and exists (
        select from nectar.mosaic_sections s
        where s.date = m.date and s.status = 'pending'
          and not exists (
            select from nectar.workout_checkins k
            where k.user_id = s.user_id and k.date = s.date and k.status = 'pending'
          )
      )
    order by 1
  $function$;

CREATE OR REPLACE FUNCTION private.move_picture(p_id uuid, p_position integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_entry_id constant uuid := (select p.entry_id from nectar.entry_pictures p where p.id = p_id);
  v_last integer;
  v_from integer;
  v_to integer;
begin
  select c.picture_count - 1 into v_last from nectar.journal_entry_contents c where c.entry_id = v_entry_id
  for no key update;
  select p.position, least(p_position, v_last) into v_from, v_to from nectar.entry_pictures p where p.id = p_id;
  update nectar.entry_pictures p
  set position = case when p.id = p_id then v_to else p.position + sign(v_from - v_to) end
  where p.entry_id = v_entry_id and p.position between least(v_from, v_to) and greatest(v_from, v_to);
end $function$;

CREATE OR REPLACE FUNCTION private.my_administered_team_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select m.team_id from nectar.team_members m where m.user_id = private.actor_id() and m.role = 'admin';
end $function$;

CREATE OR REPLACE FUNCTION private.my_audiences()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  if v_actor is null then
    return '{}'; -- public means everyone who is signed in
  end if;
  return case
    when not exists (select from nectar.blocks b where b.user_id = v_actor)
      and not exists (select from nectar.blocks b where b.blocked_id = v_actor)
      or private.is_super_admin()
    then array[private.public_audience()]
    else '{}'
  end || array(select m.audience_id from private.audience_members m where m.user_id = v_actor);
end $function$;

CREATE OR REPLACE FUNCTION private.my_content_audiences()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_audiences constant uuid[] := private.my_audiences();
begin
  -- Looking for pairs of 500 groups takes 0.4 ms, even if there are none.
  if not exists (
    select from nectar.journal_entry_contents c
    where private.content_audience(c.user_id, c.metadata_audience_id, c.content_audience_id)
      not in (c.user_id, c.metadata_audience_id, c.content_audience_id)
  ) then
    return v_audiences || private.actor_id();
  end if;
  return v_audiences || private.actor_id() || array(
    -- Reads each pair of groups once, however many contents are shared with it.
    with recursive pair (metadata_id, content_id) as (
      select a.id, c.content_audience_id from unnest(v_audiences) a (id)
      cross join lateral (
        select c.content_audience_id from nectar.journal_entry_contents c
        where c.metadata_audience_id = a.id
          and private.content_audience(c.user_id, c.metadata_audience_id, c.content_audience_id)
            not in (c.user_id, c.metadata_audience_id, c.content_audience_id)
        order by c.content_audience_id limit 1
      ) c
      union all
      select p.metadata_id, c.content_audience_id from pair p
      cross join lateral (
        select c.content_audience_id from nectar.journal_entry_contents c
        where c.metadata_audience_id = p.metadata_id and c.content_audience_id > p.content_id
          and private.content_audience(c.user_id, c.metadata_audience_id, c.content_audience_id)
            not in (c.user_id, c.metadata_audience_id, c.content_audience_id)
        order by c.content_audience_id limit 1
      ) c
    )
    select distinct private.content_audience(null, p.metadata_id, p.content_id) from pair p
    where p.content_id = any (v_audiences)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.my_organization_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select m.org_id from nectar.organization_members m where m.user_id = private.actor_id();
end $function$;

CREATE OR REPLACE FUNCTION private.my_organization_role(p_org_id uuid)
 RETURNS private.organization_role
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select case when o.owner_id = private.actor_id() then 'owner' else coalesce(m.role::text, 'none') end
    from nectar.organizations o
    left join nectar.organization_members m on m.org_id = o.id and m.user_id = private.actor_id()
    where o.id = p_org_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.my_owned_organization_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select o.id from nectar.organizations o where o.owner_id = private.actor_id();
end $function$;

CREATE OR REPLACE FUNCTION private.my_team_role(p_team_id uuid)
 RETURNS private.team_role
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select case when m.role is not null then m.role::text when o.user_id is not null then 'organization_member' else 'none' end
    from nectar.teams t
    left join nectar.team_members m on m.team_id = t.id and m.user_id = private.actor_id()
    left join nectar.organization_members o on o.org_id = t.org_id and o.user_id = private.actor_id()
    where t.id = p_team_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.my_tone_pack_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  return query select s.pack_id from nectar.tone_pack_shares s where s.user_id = v_actor;
  return query select b.pack_id from nectar.tone_pack_purchases b where b.user_id = v_actor and b.refunded_at is null;
end $function$;

CREATE OR REPLACE FUNCTION private.name_words(p_full_name text)
 RETURNS TABLE(word_number integer, search_text text)
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  v_words constant text[] := string_to_array(private.search_form(p_full_name), ' ');
begin
  -- A name of 100 characters has at most 50 words, unless single characters stand for several words.
  return query
    select n, left(array_to_string(v_words[n:], ' '), 100)
    from generate_series(1, least(greatest(cardinality(v_words), 1), 50)) n;
end $function$;

CREATE OR REPLACE FUNCTION private.newest_entries_of_notebook(p_notebook_id uuid, p_scope text, p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
        declare
          v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
        begin
          return array(
            select r.id from nectar.journal_entries r
            where r.notebook_id = p_notebook_id
              and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
              and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
            order by r.created_at desc, r.id desc limit p_max
          );
        end
        $function$;

CREATE OR REPLACE FUNCTION private.newest_notes(p_user_id uuid, p_since timestamp with time zone)
 RETURNS TABLE(id uuid, title text, content text, mood text, written_at timestamp with time zone)
 LANGUAGE sql
 STABLE ROWS 50
 SET search_path TO ''
AS $function$
    select n.id, n.title, left(c.content, 2000), coalesce(n.mood, c.found_mood), n.created_at
    from (
      select e.id, e.title, e.mood, e.created_at from private.notes e
      where e.user_id = p_user_id and e.created_at > p_since order by e.created_at desc, e.id desc limit 50
    ) n
    join nectar.journal_entry_contents c on c.entry_id = n.id
    order by n.created_at desc, n.id desc
  $function$;

CREATE OR REPLACE FUNCTION private.newest_public_goals(p_blocked uuid[], p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_status nectar.goal_status, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
      declare
        v_day date := p_after at time zone 'UTC';
        v_ids uuid[];
      begin
        v_ids := array(
          select n.id
          from (
            select r.id, r.user_id from nectar.goals r
            where r.metadata_audience_id = private.public_audience()
              and (r.created_at, r.id) < (p_after, p_after_id) and ((select p_status) is null or r.status = (select p_status)) and r.created_at >= p_until
            order by r.created_at desc, r.id desc limit (select 20 * p_max)
          ) n
          where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
        );
        if cardinality(v_ids) = p_max or not exists (
          select from nectar.goals r
          where r.metadata_audience_id = private.public_audience()
            and (r.created_at, r.id) < (p_after, p_after_id) and ((select p_status) is null or r.status = (select p_status)) and r.created_at >= p_until
          order by r.created_at desc, r.id desc offset (select 20 * p_max)
        ) then
          return v_ids;
        end if;
        -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
        -- day by day, the index is searched between their ids.
        v_ids := '{}';
        while cardinality(v_ids) < p_max and not v_day < (p_until at time zone 'UTC')::date loop
          v_ids := v_ids || array(
            select r.id
            from (
              select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
              from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
            ) others
            cross join lateral (
              select r.id, r.created_at from nectar.goals r
              where r.metadata_audience_id = private.public_audience()
                and (r.created_at at time zone 'UTC')::date = v_day
                and r.user_id > others.after_id and r.user_id < others.before_id
                and (r.created_at, r.id) < (p_after, p_after_id) and ((select p_status) is null or r.status = (select p_status)) and r.created_at >= p_until
              offset 0
            ) r
            order by r.created_at desc, r.id desc limit (select p_max - cardinality(v_ids))
          );
          v_day := (
            select (r.created_at at time zone 'UTC')::date from nectar.goals r
            where r.metadata_audience_id = private.public_audience()
              and (r.created_at at time zone 'UTC')::date < v_day
            order by (r.created_at at time zone 'UTC')::date desc limit 1
          );
        end loop;
        return v_ids;
      end
      $function$;

CREATE OR REPLACE FUNCTION private.newest_public_journal_entries(p_blocked uuid[], p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
      declare
        v_day date := p_after at time zone 'UTC';
        v_ids uuid[];
      begin
        v_ids := array(
          select n.id
          from (
            select r.id, r.user_id from nectar.journal_entries r
            where r.metadata_audience_id = private.public_audience()
              and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
            order by r.created_at desc, r.id desc limit (select 20 * p_max)
          ) n
          where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
        );
        if cardinality(v_ids) = p_max or not exists (
          select from nectar.journal_entries r
          where r.metadata_audience_id = private.public_audience()
            and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
          order by r.created_at desc, r.id desc offset (select 20 * p_max)
        ) then
          return v_ids;
        end if;
        -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
        -- day by day, the index is searched between their ids.
        v_ids := '{}';
        while cardinality(v_ids) < p_max and not v_day < (p_until at time zone 'UTC')::date loop
          v_ids := v_ids || array(
            select r.id
            from (
              select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
              from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
            ) others
            cross join lateral (
              select r.id, r.created_at from nectar.journal_entries r
              where r.metadata_audience_id = private.public_audience()
                and (r.created_at at time zone 'UTC')::date = v_day
                and r.user_id > others.after_id and r.user_id < others.before_id
                and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
              offset 0
            ) r
            order by r.created_at desc, r.id desc limit (select p_max - cardinality(v_ids))
          );
          v_day := (
            select (r.created_at at time zone 'UTC')::date from nectar.journal_entries r
            where r.metadata_audience_id = private.public_audience()
              and (r.created_at at time zone 'UTC')::date < v_day
            order by (r.created_at at time zone 'UTC')::date desc limit 1
          );
        end loop;
        return v_ids;
      end
      $function$;

CREATE OR REPLACE FUNCTION private.newest_public_notebooks(p_blocked uuid[], p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
      declare
        v_day date := p_after at time zone 'UTC';
        v_ids uuid[];
      begin
        v_ids := array(
          select n.id
          from (
            select r.id, r.user_id from nectar.notebooks r
            where r.metadata_audience_id = private.public_audience()
              and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
            order by r.created_at desc, r.id desc limit (select 20 * p_max)
          ) n
          where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
        );
        if cardinality(v_ids) = p_max or not exists (
          select from nectar.notebooks r
          where r.metadata_audience_id = private.public_audience()
            and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
          order by r.created_at desc, r.id desc offset (select 20 * p_max)
        ) then
          return v_ids;
        end if;
        -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
        -- day by day, the index is searched between their ids.
        v_ids := '{}';
        while cardinality(v_ids) < p_max and not v_day < (p_until at time zone 'UTC')::date loop
          v_ids := v_ids || array(
            select r.id
            from (
              select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
              from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
            ) others
            cross join lateral (
              select r.id, r.created_at from nectar.notebooks r
              where r.metadata_audience_id = private.public_audience()
                and (r.created_at at time zone 'UTC')::date = v_day
                and r.user_id > others.after_id and r.user_id < others.before_id
                and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
              offset 0
            ) r
            order by r.created_at desc, r.id desc limit (select p_max - cardinality(v_ids))
          );
          v_day := (
            select (r.created_at at time zone 'UTC')::date from nectar.notebooks r
            where r.metadata_audience_id = private.public_audience()
              and (r.created_at at time zone 'UTC')::date < v_day
            order by (r.created_at at time zone 'UTC')::date desc limit 1
          );
        end loop;
        return v_ids;
      end
      $function$;

CREATE OR REPLACE FUNCTION private.newest_visible_goals(p_scope text, p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_status nectar.goal_status, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
      declare
        v_reader constant uuid := private.actor_id();
        v_shows_everything constant boolean := p_scope = 'all' and private.is_super_admin();
        v_audiences uuid[] := private.audiences_of_scope(p_scope);
        -- Null unless the reader has a block, and the list shows public rows.
        v_blocked constant uuid[] := case
          when p_scope in ('all', 'public') and v_reader is not null and private.public_audience() <> all (v_audiences)
            then private.blocked_users()
        end;
        v_public uuid[];
        v_ids uuid[];
      begin
        -- A reader of many audiences sees much of what is new, so the newest rows of everyone come first. What decides about
        -- the plan is in sub-selects, or the planner makes a new one in every call.
        if v_shows_everything or cardinality(v_audiences) > 20 then
          v_ids := array(
            select n.id
            from (
              select r.id, r.user_id, r.metadata_audience_id from nectar.goals r
              where (r.created_at, r.id) < (p_after, p_after_id) and ((select p_status) is null or r.status = (select p_status)) and r.created_at >= p_until order by r.created_at desc, r.id desc
              limit (select case when v_shows_everything then p_max else 20 * p_max end)
            ) n
            where (select v_shows_everything)
              or (p_scope in ('all', 'own') and n.user_id = v_reader)
              or (
                n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader)
              )
              or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
            limit (select p_max)
          );
          if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
          -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
          -- for one row, and only N of them for more.
          v_audiences := array(
            select a.id from unnest(v_audiences) a (id)
            cross join lateral (
              select r.id, r.created_at from nectar.goals r
              where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                and (r.created_at, r.id) < (p_after, p_after_id) and ((select p_status) is null or r.status = (select p_status)) and r.created_at >= p_until
              order by r.created_at desc, r.id desc limit 1
            ) r
            order by r.created_at desc, r.id desc limit p_max
          );
        end if;
        if v_blocked is not null then v_public := private.newest_public_goals(v_blocked, p_after, p_after_id, p_until , p_status, p_max); end if;
        return array(
          select r.id
          from (
            (
              select r.id, r.created_at from nectar.goals r
              where p_scope in ('all', 'own') and r.user_id = v_reader
                and (r.created_at, r.id) < (p_after, p_after_id) and ((select p_status) is null or r.status = (select p_status)) and r.created_at >= p_until
              order by r.created_at desc, r.id desc limit p_max
            )
            union
            (
              select r.id, r.created_at from unnest(v_audiences) a (id)
              cross join lateral (
                select r.id, r.created_at from nectar.goals r
                where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                  and (r.created_at, r.id) < (p_after, p_after_id) and ((select p_status) is null or r.status = (select p_status)) and r.created_at >= p_until
                order by r.created_at desc, r.id desc limit p_max
              ) r
            )
            union
            (
              select r.id, r.created_at from unnest((select v_public)) v (id)
              cross join lateral (select r.id, r.created_at from nectar.goals r where r.id = v.id limit 1) r
            )
          ) r
          order by r.created_at desc, r.id desc limit p_max
        );
      end
      $function$;

CREATE OR REPLACE FUNCTION private.newest_visible_journal_entries(p_scope text, p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
      declare
        v_reader constant uuid := private.actor_id();
        v_shows_everything constant boolean := p_scope = 'all' and private.is_super_admin();
        v_audiences uuid[] := private.audiences_of_scope(p_scope);
        -- Null unless the reader has a block, and the list shows public rows.
        v_blocked constant uuid[] := case
          when p_scope in ('all', 'public') and v_reader is not null and private.public_audience() <> all (v_audiences)
            then private.blocked_users()
        end;
        v_public uuid[];
        v_ids uuid[];
      begin
        -- A reader of many audiences sees much of what is new, so the newest rows of everyone come first. What decides about
        -- the plan is in sub-selects, or the planner makes a new one in every call.
        if v_shows_everything or cardinality(v_audiences) > 20 then
          v_ids := array(
            select n.id
            from (
              select r.id, r.user_id, r.metadata_audience_id from nectar.journal_entries r
              where (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until order by r.created_at desc, r.id desc
              limit (select case when v_shows_everything then p_max else 20 * p_max end)
            ) n
            where (select v_shows_everything)
              or (p_scope in ('all', 'own') and n.user_id = v_reader)
              or (
                n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader)
              )
              or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
            limit (select p_max)
          );
          if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
          -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
          -- for one row, and only N of them for more.
          v_audiences := array(
            select a.id from unnest(v_audiences) a (id)
            cross join lateral (
              select r.id, r.created_at from nectar.journal_entries r
              where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
              order by r.created_at desc, r.id desc limit 1
            ) r
            order by r.created_at desc, r.id desc limit p_max
          );
        end if;
        if v_blocked is not null then v_public := private.newest_public_journal_entries(v_blocked, p_after, p_after_id, p_until , p_max); end if;
        return array(
          select r.id
          from (
            (
              select r.id, r.created_at from nectar.journal_entries r
              where p_scope in ('all', 'own') and r.user_id = v_reader
                and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
              order by r.created_at desc, r.id desc limit p_max
            )
            union
            (
              select r.id, r.created_at from unnest(v_audiences) a (id)
              cross join lateral (
                select r.id, r.created_at from nectar.journal_entries r
                where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                  and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
                order by r.created_at desc, r.id desc limit p_max
              ) r
            )
            union
            (
              select r.id, r.created_at from unnest((select v_public)) v (id)
              cross join lateral (select r.id, r.created_at from nectar.journal_entries r where r.id = v.id limit 1) r
            )
          ) r
          order by r.created_at desc, r.id desc limit p_max
        );
      end
      $function$;

CREATE OR REPLACE FUNCTION private.newest_visible_notebooks(p_scope text, p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
      declare
        v_reader constant uuid := private.actor_id();
        v_shows_everything constant boolean := p_scope = 'all' and private.is_super_admin();
        v_audiences uuid[] := private.audiences_of_scope(p_scope);
        -- Null unless the reader has a block, and the list shows public rows.
        v_blocked constant uuid[] := case
          when p_scope in ('all', 'public') and v_reader is not null and private.public_audience() <> all (v_audiences)
            then private.blocked_users()
        end;
        v_public uuid[];
        v_ids uuid[];
      begin
        -- A reader of many audiences sees much of what is new, so the newest rows of everyone come first. What decides about
        -- the plan is in sub-selects, or the planner makes a new one in every call.
        if v_shows_everything or cardinality(v_audiences) > 20 then
          v_ids := array(
            select n.id
            from (
              select r.id, r.user_id, r.metadata_audience_id from nectar.notebooks r
              where (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until order by r.created_at desc, r.id desc
              limit (select case when v_shows_everything then p_max else 20 * p_max end)
            ) n
            where (select v_shows_everything)
              or (p_scope in ('all', 'own') and n.user_id = v_reader)
              or (
                n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader)
              )
              or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
            limit (select p_max)
          );
          if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
          -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
          -- for one row, and only N of them for more.
          v_audiences := array(
            select a.id from unnest(v_audiences) a (id)
            cross join lateral (
              select r.id, r.created_at from nectar.notebooks r
              where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
              order by r.created_at desc, r.id desc limit 1
            ) r
            order by r.created_at desc, r.id desc limit p_max
          );
        end if;
        if v_blocked is not null then v_public := private.newest_public_notebooks(v_blocked, p_after, p_after_id, p_until , p_max); end if;
        return array(
          select r.id
          from (
            (
              select r.id, r.created_at from nectar.notebooks r
              where p_scope in ('all', 'own') and r.user_id = v_reader
                and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
              order by r.created_at desc, r.id desc limit p_max
            )
            union
            (
              select r.id, r.created_at from unnest(v_audiences) a (id)
              cross join lateral (
                select r.id, r.created_at from nectar.notebooks r
                where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                  and (r.created_at, r.id) < (p_after, p_after_id)  and r.created_at >= p_until
                order by r.created_at desc, r.id desc limit p_max
              ) r
            )
            union
            (
              select r.id, r.created_at from unnest((select v_public)) v (id)
              cross join lateral (select r.id, r.created_at from nectar.notebooks r where r.id = v.id limit 1) r
            )
          ) r
          order by r.created_at desc, r.id desc limit p_max
        );
      end
      $function$;

CREATE OR REPLACE FUNCTION private.next_drop_time(p_latest timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
RETURN GREATEST(clock_timestamp(), (p_latest + '00:00:00.001'::interval));

CREATE OR REPLACE FUNCTION private.next_entries(p_page jsonb, p_filter jsonb, p_after_date date, p_after timestamp with time zone, p_after_id uuid, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_scope constant text := p_page ->> 'scope';
  v_order constant text := p_page ->> 'order';
  v_notebook_id constant uuid := p_filter ->> 'notebook_id';
  v_from constant timestamptz := coalesce(p_filter ->> 'from', '-infinity');
  v_before constant timestamptz := coalesce(p_filter ->> 'before', 'infinity');
  v_date_from constant date := coalesce(p_filter ->> 'date_from', '-infinity');
  v_date_to constant date := coalesce(p_filter ->> 'date_to', 'infinity');
begin
  if v_notebook_id is not null then
    return case v_order
      when 'latest date first' then private.latest_entries_of_notebook(
        v_notebook_id, v_scope, p_after_date, p_after, p_after_id, v_date_from, p_max
      )
      when 'earliest date first' then private.earliest_entries_of_notebook(
        v_notebook_id, v_scope, p_after_date, p_after, p_after_id, v_date_to, p_max
      )
      when 'newest first'
        then private.newest_entries_of_notebook(v_notebook_id, v_scope, p_after, p_after_id, v_from, p_max)
      else private.oldest_entries_of_notebook(v_notebook_id, v_scope, p_after, p_after_id, v_before, p_max)
    end;
  end if;
  return case v_order
    when 'latest date first' then private.latest_visible_journal_entries(
      v_scope, p_after_date, p_after, p_after_id, v_date_from, p_max
    )
    when 'earliest date first' then private.earliest_visible_journal_entries(
      v_scope, p_after_date, p_after, p_after_id, v_date_to, p_max
    )
    when 'newest first' then private.newest_visible_journal_entries(v_scope, p_after, p_after_id, v_from, p_max)
    else private.oldest_visible_journal_entries(v_scope, p_after, p_after_id, v_before, p_max)
  end;
end $function$;

CREATE OR REPLACE FUNCTION private.next_open_drops(p_moment timestamp with time zone, p_after_sender_id uuid, p_after_drop_id uuid, p_limit integer)
 RETURNS TABLE(sender_id uuid, id uuid, is_over boolean, was_engaged boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  -- An entry becomes visible when its transaction commits, less than this after its own time.
  v_grace constant interval := '1 minute';
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  return query
    select d.sender_id, d.id, d.engagement_until < p_moment - v_grace as is_over, exists (
        select from private.entry_times e
        where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until
      ) as was_engaged
    from nectar.encouragement_drops d
    where d.engagement = 'open'
      and (d.sender_id, d.id) > (coalesce(p_after_sender_id, v_nil), coalesce(p_after_drop_id, v_nil))
    order by d.sender_id, d.id limit p_limit;
end $function$;

CREATE OR REPLACE FUNCTION private.next_reminder(p_zone text, p_time time without time zone, p_weekdays smallint[], p_from date)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_days integer;
begin
  select min((d.weekday - extract(isodow from p_from)::integer + 7) % 7) into v_days
  from unnest(p_weekdays) d (weekday);
  return private.first_instant(p_from + v_days + p_time, p_zone);
end $function$;

CREATE OR REPLACE FUNCTION private.notes_fingerprint(p_user_id uuid, p_since timestamp with time zone)
 RETURNS bytea
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select sha256(convert_to(
      coalesce(jsonb_agg(jsonb_build_array(n.id, n.title, n.content) order by n.written_at desc, n.id desc), '[]')::text,
      'UTF8'
    ))
    from private.newest_notes(p_user_id, p_since) n
  $function$;

CREATE OR REPLACE FUNCTION private.notes_for_analysis(p_user_id uuid, p_moment timestamp with time zone)
 RETURNS TABLE(id uuid, title text, content text, mood text, written_at timestamp with time zone, state private.notes_state)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
AS $function$
    select n.id, n.title, n.content, n.mood, n.written_at, s
    from private.notes_state(p_user_id, private.notes_since(p_moment)) s
    cross join private.newest_notes(p_user_id, private.notes_since(p_moment)) n
    where exists (select from nectar.accounts a where a.user_id = p_user_id and private.lets_assistant_serve(a, 'note_analysis'))
      and exists (select from nectar.profiles p where p.id = p_user_id and not p.is_ai)
    order by n.written_at desc, n.id desc
  $function$;

CREATE OR REPLACE FUNCTION private.notes_since(p_moment timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (p_moment - '168:00:00'::interval);

CREATE OR REPLACE FUNCTION private.notes_state(p_user_id uuid, p_since timestamp with time zone)
 RETURNS private.notes_state
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select p_since, private.notes_version(p_user_id, p_since), private.notes_fingerprint(p_user_id, p_since) $function$;

CREATE OR REPLACE FUNCTION private.notes_version(p_user_id uuid, p_since timestamp with time zone)
 RETURNS numeric
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select coalesce(sum(extract(epoch from e.updated_at)), 0) from private.notes e
    where e.user_id = p_user_id and e.created_at > p_since
  $function$;

CREATE OR REPLACE FUNCTION private.notify(p_user_id uuid, p_type nectar.notification_type, p_data jsonb, p_caused_by uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into nectar.notifications (user_id, type, data, caused_by)
  select p.id, p_type, p_data, p_caused_by from nectar.profiles p where p.id = p_user_id for key share;
end $function$;

CREATE OR REPLACE FUNCTION private.notify_added_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Skips a person whose account is being deleted: waiting for the deletion while it waits for rows of this transaction
  -- would be a deadlock.
  insert into nectar.notifications (user_id, type, data, caused_by)
  select p.id, 'member_added',
    jsonb_strip_nulls(jsonb_build_object(
      'org_id', new.org_id, 'team_id', to_jsonb(new) ->> 'team_id', 'added_by', private.actor_id()
    )),
    private.actor_id()
  from nectar.profiles p where p.id = new.user_id and not p.is_ai and p.id <> private.actor_id()
  for key share skip locked;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.notify_battle_progress(p_days private.ended_day[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  with running as materialized (
    select b.week_start_date as week, coalesce(sum(d.red_chips), 0)::integer as red,
      coalesce(sum(d.blue_chips), 0)::integer as blue
    from nectar.battles b
    left join lateral private.battle_days(b.week_start_date) d on true
    where b.battle_status = 'in_progress'
      and b.week_start_date in (select private.week_start(y.date) from unnest(p_days) y)
    group by b.week_start_date
  )
  insert into nectar.notifications (user_id, type, data)
  select y.user_id, 'battle_progress',
    jsonb_build_object('date', y.date, 'week_start_date', r.week, 'team_color', y.team_color, 'red_team_chips', r.red,
      'blue_team_chips', r.blue)
  from unnest(p_days) y
  join running r on r.week = private.week_start(y.date)
  join nectar.profiles p on p.id = y.user_id and not p.is_ai
  where y.state = 'completed';
end $function$;

CREATE OR REPLACE FUNCTION private.notify_battle_results(p_week date, p_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_announcement private.battle_announcements;
  v_result jsonb;
  v_people uuid[];
  v_colors nectar.team_color[];
begin
  -- One at a time: the next one continues where the previous one stopped.
  select a.* into v_announcement from private.battle_announcements a where a.week_start_date = p_week for update;
  if not found then return false; end if;
  select jsonb_build_object(
    'week_start_date', p_week, 'winner', b.winner, 'red_damage', d.red, 'blue_damage', d.blue
  ) into v_result
  from nectar.battles b
  cross join lateral (
    select sum(r."redDamage") as red, sum(r."blueDamage") as blue
    from jsonb_to_recordset(b.battle_result -> 'rounds') r ("redDamage" integer, "blueDamage" integer)
  ) d
  where b.week_start_date = p_week;
  -- A person who brought chips of last week's color is notified for the color that they have now.
  select array_agg(m.user_id order by m.user_id), array_agg(m.color order by m.user_id) into v_people, v_colors
  from (
    select distinct on (e.user_id) e.user_id, e.color
    from (
      (
        select t.user_id, t.color, 1 as preference from nectar.team_colors t
        where t.week_start_date = p_week and t.user_id > v_announcement.notified_up_to order by t.user_id limit p_max
      )
      union all
      (
        select c.user_id, c.team_color, 2 from nectar.workout_checkins c
        where c.battle_week_start = p_week and c.status = 'verified' and c.date < p_week and c.team_color is not null
          and c.user_id > v_announcement.notified_up_to
        order by c.user_id
      )
    ) e
    order by e.user_id, e.preference limit p_max
  ) m;
  insert into nectar.notifications (user_id, type, data)
  select m.user_id, 'battle_results', v_result || jsonb_build_object('team_color', m.color)
  from unnest(v_people, v_colors) m (user_id, color)
  join nectar.profiles p on p.id = m.user_id and not p.is_ai
  for key share of p;
  if coalesce(cardinality(v_people), 0) < p_max then
    delete from private.battle_announcements a where a.week_start_date = p_week;
    return false;
  end if;
  update private.battle_announcements a set notified_up_to = v_people[p_max] where a.week_start_date = p_week;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.notify_broken_chains(p_days jsonb)
 RETURNS TABLE(user_id uuid, date date)
 LANGUAGE sql
 SET search_path TO ''
AS $function$
    with noticed as (
      insert into private.game_notices (user_id, date, kind)
      select n.user_id, n.date, 'chain_broken' from jsonb_to_recordset(p_days) n (user_id uuid, date date)
      join nectar.profiles p on p.id = n.user_id and not p.is_ai
      on conflict do nothing returning user_id, date
    ), messages as (
      insert into nectar.notifications (user_id, type, data, caused_by)
      select n.user_id, 'chain_broken', jsonb_build_object('date', n.date),
        (select c.before_user_id from nectar.chains c where c.user_id = n.user_id and c.date = n.date)
      from noticed n returning user_id, (data ->> 'date')::date as date
    )
    select m.user_id, m.date from messages m
  $function$;

CREATE OR REPLACE FUNCTION private.notify_invitee(p_invitee uuid, p_invitation_id uuid, p_org_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  -- The name of the organization is left out, because it could be used to send any text to strangers.
  v_data constant jsonb :=
    jsonb_build_object('invitation_id', p_invitation_id, 'org_id', p_org_id, 'invited_by', v_actor);
begin
  if private.has_block(v_actor, p_invitee)
    or exists (select from nectar.organization_members m where m.org_id = p_org_id and m.user_id = p_invitee)
  then
    return;
  end if;
  update nectar.notifications n set data = v_data
  where n.user_id = p_invitee and n.read_at is null and n.type = 'invitation' and n.caused_by = v_actor;
  if not found then perform private.notify(p_invitee, 'invitation', v_data, v_actor); end if;
end $function$;

CREATE OR REPLACE FUNCTION private.notify_of_chains(p_date date, p_notifications jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_rewritten uuid[];
begin
  -- One notification per person and date in 15 minutes: a later change rewrites it, without another push. Runs of one
  -- week take turns, so two of them cannot both insert one.
  -- They are looked up before any is inserted: a scan would go through those as well.
  with rewritten as (
    update nectar.notifications m set data = n.data, read_at = null
    from jsonb_to_recordset(p_notifications) n (user_id uuid, data jsonb)
    cross join lateral (
      select r.id from nectar.notifications r
      where r.user_id = n.user_id and r.created_at > now() - interval '15 minutes' and r.type = 'chain_update'
        and r.data -> 'date' = to_jsonb(p_date)
      order by r.created_at desc limit 1
    ) recent
    where m.id = recent.id returning m.user_id
  )
  select array_agg(r.user_id) into v_rewritten from rewritten r;
  insert into nectar.notifications (user_id, type, data)
  select n.user_id, 'chain_update', n.data from jsonb_to_recordset(p_notifications) n (user_id uuid, data jsonb)
  where n.user_id not in (select unnest(v_rewritten));
end $function$;

CREATE OR REPLACE FUNCTION private.notify_of_check_ins(p_checkin_ids uuid[], p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS TABLE(user_id uuid, is_next boolean)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  return query
    with recipients as (
      select m.user_id, m.type, m.data || jsonb_build_object(
          'checkin_id', r.id, 'date', r.date,
          'full_name', (select p.full_name from nectar.profiles p where p.id = r.user_id)
        ) as data,
        r.user_id as caused_by
      from (
        select k.*, c.after_user_id, c.squad_id from nectar.workout_checkins k
        join nectar.chains c on c.user_id = k.user_id and c.date = k.date
        where k.id = any ((select p_checkin_ids)::uuid[])
      ) r
      cross join lateral (
        select n.user_id, 'baton_pass'::nectar.notification_type as type, '{}'::jsonb as data from nectar.chains n
        where n.user_id = r.after_user_id and n.date = r.date
          and not exists (select from nectar.workout_checkins k where k.user_id = n.user_id and k.date = n.date)
          and private.day_state(null, n.window_starts_at, n.window_ends_at, n.day_ends_at, p_moment, p_grace_minutes)
            <> 'failed'
        union all
        select o.id, 'battle_update',
          jsonb_build_object('week_start_date', r.battle_week_start, 'chips', r.battle_chips_earned)
        from nectar.squads q
        cross join lateral unnest(array[q.user_1_id, q.user_2_id, q.user_3_id]) o (id)
        where q.id = r.squad_id and o.id <> r.user_id and r.status = 'verified'
      ) m
      where (select not p.is_ai from nectar.profiles p where p.id = m.user_id)
    ), sent as (
      insert into nectar.notifications (user_id, type, data, caused_by)
      select r.user_id, r.type, r.data, r.caused_by from recipients r
    )
    select r.user_id, r.type = 'baton_pass' from recipients r;
end $function$;

CREATE OR REPLACE FUNCTION private.notify_of_comment(p_entry_id uuid, p_goal_id uuid, p_sender_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_thing constant nectar.journal_entries := private.thing(p_entry_id, p_goal_id);
  v_data constant jsonb := jsonb_strip_nulls(jsonb_build_object('entry_id', p_entry_id, 'goal_id', p_goal_id))
    || jsonb_build_object('full_name', (select p.full_name from nectar.profiles p where p.id = p_sender_id));
  -- Blocks matter to what is public only, and asking about each commenter takes as long as everything else.
  v_is_public constant boolean := v_thing.metadata_audience_id = private.public_audience();
  v_others constant uuid[] := array(
    select c.sender_id
    from (
      select m.sender_id from nectar.team_messages m
      where m.room_id = v_thing.id and m.sender_id not in (v_thing.user_id, p_sender_id)
      group by m.sender_id order by max(m.created_at) desc
      -- Only as many are asked about as needed.
      offset 0
    ) c
    where (
      private.axes_seen_by(c.sender_id, v_thing, v_is_public and private.has_block(c.sender_id, v_thing.user_id))
    ).content
    limit 50
  );
begin
  perform private.notify_room(v_thing.id, array[v_thing.user_id], 'comment', v_data || '{"is_yours": true}', p_sender_id);
  perform private.notify_room(v_thing.id, v_others, 'comment', v_data || '{"is_yours": false}', p_sender_id);
end $function$;

CREATE OR REPLACE FUNCTION private.notify_of_goal_check_in()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_members constant uuid[] := array(
    select m.user_id from nectar.goals g
    join nectar.team_members m on m.team_id = g.team_id
    where g.id = new.goal_id and g.metadata_audience_id = g.team_id
  );
begin
  if v_members <> '{}' then
    perform private.notify_room(
      new.goal_id, v_members, 'goal_update', jsonb_build_object('goal_id', new.goal_id, 'status', new.status), new.user_id
    );
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.notify_of_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_members constant uuid[] := array(
    select m.user_id from nectar.team_members m where m.team_id = new.team_id
    union all
    select unnest(array[s.user_1_id, s.user_2_id, s.user_3_id]) from nectar.squads s where s.id = new.squad_id
  );
begin
  if num_nonnulls(new.entry_id, new.goal_id) = 1 then
    perform private.notify_of_comment(new.entry_id, new.goal_id, new.sender_id);
    return null;
  end if;
  perform private.notify_room(
    new.room_id, v_members, 'team_message',
    jsonb_strip_nulls(jsonb_build_object(
      'team_id', new.team_id, 'squad_id', new.squad_id, 'date', (select s.date from nectar.squads s where s.id = new.squad_id)
    )),
    new.sender_id
  );
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.notify_room(p_room_id uuid, p_members uuid[], p_type nectar.notification_type, p_data jsonb, p_caused_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into nectar.notifications as n (user_id, type, data, caused_by, room_id)
  select p.id, p_type, p_data || '{"count": 1}', p_caused_by, p_room_id from nectar.profiles p
  where p.id = any ((select p_members)::uuid[]) and p.id <> p_caused_by and not p.is_ai
    and p.id <> all ((select private.blocked_users())::uuid[])
  -- Two at once lock the same notifications in the same order. Skips a person whose account is being deleted, as
  -- private.notify_added_member does.
  order by p.id for key share of p skip locked
  on conflict (user_id, room_id, type) where read_at is null and room_id is not null do update set
    -- The name is that of a single cause.
    data = excluded.data - 'full_name' || jsonb_build_object('count', (n.data ->> 'count')::integer + 1),
    -- What several people cause has no single cause.
    caused_by = case when n.caused_by = excluded.caused_by then n.caused_by end;
end $function$;

CREATE OR REPLACE FUNCTION private.oldest_entries_of_notebook(p_notebook_id uuid, p_scope text, p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
        declare
          v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
        begin
          return array(
            select r.id from nectar.journal_entries r
            where r.notebook_id = p_notebook_id
              and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
              and (r.created_at, r.id) > (p_after, p_after_id)  and r.created_at < p_until
            order by r.created_at asc, r.id asc limit p_max
          );
        end
        $function$;

CREATE OR REPLACE FUNCTION private.oldest_public_journal_entries(p_blocked uuid[], p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
      declare
        v_day date := p_after at time zone 'UTC';
        v_ids uuid[];
      begin
        v_ids := array(
          select n.id
          from (
            select r.id, r.user_id from nectar.journal_entries r
            where r.metadata_audience_id = private.public_audience()
              and (r.created_at, r.id) > (p_after, p_after_id)  and r.created_at < p_until
            order by r.created_at asc, r.id asc limit (select 20 * p_max)
          ) n
          where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
        );
        if cardinality(v_ids) = p_max or not exists (
          select from nectar.journal_entries r
          where r.metadata_audience_id = private.public_audience()
            and (r.created_at, r.id) > (p_after, p_after_id)  and r.created_at < p_until
          order by r.created_at asc, r.id asc offset (select 20 * p_max)
        ) then
          return v_ids;
        end if;
        -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
        -- day by day, the index is searched between their ids.
        v_ids := '{}';
        while cardinality(v_ids) < p_max and not v_day > (p_until at time zone 'UTC')::date loop
          v_ids := v_ids || array(
            select r.id
            from (
              select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
              from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
            ) others
            cross join lateral (
              select r.id, r.created_at from nectar.journal_entries r
              where r.metadata_audience_id = private.public_audience()
                and (r.created_at at time zone 'UTC')::date = v_day
                and r.user_id > others.after_id and r.user_id < others.before_id
                and (r.created_at, r.id) > (p_after, p_after_id)  and r.created_at < p_until
              offset 0
            ) r
            order by r.created_at asc, r.id asc limit (select p_max - cardinality(v_ids))
          );
          v_day := (
            select (r.created_at at time zone 'UTC')::date from nectar.journal_entries r
            where r.metadata_audience_id = private.public_audience()
              and (r.created_at at time zone 'UTC')::date > v_day
            order by (r.created_at at time zone 'UTC')::date asc limit 1
          );
        end loop;
        return v_ids;
      end
      $function$;

CREATE OR REPLACE FUNCTION private.oldest_visible_journal_entries(p_scope text, p_after timestamp with time zone, p_after_id uuid, p_until timestamp with time zone, p_max integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
      declare
        v_reader constant uuid := private.actor_id();
        v_shows_everything constant boolean := p_scope = 'all' and private.is_super_admin();
        v_audiences uuid[] := private.audiences_of_scope(p_scope);
        -- Null unless the reader has a block, and the list shows public rows.
        v_blocked constant uuid[] := case
          when p_scope in ('all', 'public') and v_reader is not null and private.public_audience() <> all (v_audiences)
            then private.blocked_users()
        end;
        v_public uuid[];
        v_ids uuid[];
      begin
        -- A reader of many audiences sees much of what is new, so the newest rows of everyone come first. What decides about
        -- the plan is in sub-selects, or the planner makes a new one in every call.
        if v_shows_everything or cardinality(v_audiences) > 20 then
          v_ids := array(
            select n.id
            from (
              select r.id, r.user_id, r.metadata_audience_id from nectar.journal_entries r
              where (r.created_at, r.id) > (p_after, p_after_id)  and r.created_at < p_until order by r.created_at asc, r.id asc
              limit (select case when v_shows_everything then p_max else 20 * p_max end)
            ) n
            where (select v_shows_everything)
              or (p_scope in ('all', 'own') and n.user_id = v_reader)
              or (
                n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader)
              )
              or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
            limit (select p_max)
          );
          if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
          -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
          -- for one row, and only N of them for more.
          v_audiences := array(
            select a.id from unnest(v_audiences) a (id)
            cross join lateral (
              select r.id, r.created_at from nectar.journal_entries r
              where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                and (r.created_at, r.id) > (p_after, p_after_id)  and r.created_at < p_until
              order by r.created_at asc, r.id asc limit 1
            ) r
            order by r.created_at asc, r.id asc limit p_max
          );
        end if;
        if v_blocked is not null then v_public := private.oldest_public_journal_entries(v_blocked, p_after, p_after_id, p_until , p_max); end if;
        return array(
          select r.id
          from (
            (
              select r.id, r.created_at from nectar.journal_entries r
              where p_scope in ('all', 'own') and r.user_id = v_reader
                and (r.created_at, r.id) > (p_after, p_after_id)  and r.created_at < p_until
              order by r.created_at asc, r.id asc limit p_max
            )
            union
            (
              select r.id, r.created_at from unnest(v_audiences) a (id)
              cross join lateral (
                select r.id, r.created_at from nectar.journal_entries r
                where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                  and (r.created_at, r.id) > (p_after, p_after_id)  and r.created_at < p_until
                order by r.created_at asc, r.id asc limit p_max
              ) r
            )
            union
            (
              select r.id, r.created_at from unnest((select v_public)) v (id)
              cross join lateral (select r.id, r.created_at from nectar.journal_entries r where r.id = v.id limit 1) r
            )
          ) r
          order by r.created_at asc, r.id asc limit p_max
        );
      end
      $function$;

CREATE OR REPLACE FUNCTION private.open_account(p_user_id uuid, p_email text, p_user_metadata jsonb, p_app_metadata jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_signup_bonus constant integer := 50;
  v_metadata jsonb := private.unwrap_metadata(p_user_metadata);
  -- Cut first, because normalizing a long run of combining marks takes the square of its length.
  v_full_name text := nullif(left(normalize(left(btrim(v_metadata ->> 'full_name'), 400)), 100), '');
  v_avatar_url text := v_metadata ->> 'avatar_url';
  -- Users cannot write this; only private.insert_synthetic_users does.
  v_is_synthetic boolean := p_app_metadata ->> 'nectar' is not distinct from 'synthetic';
begin
  insert into nectar.profiles (id, full_name, avatar_url, is_ai)
  values (
    p_user_id, v_full_name,
    case when v_avatar_url ~ '^https?://' and char_length(v_avatar_url) <= 2048 then v_avatar_url end, v_is_synthetic
  );
  insert into nectar.accounts (user_id, email) values (p_user_id, p_email);
  if p_user_id <> private.system_user_id() and not v_is_synthetic then
    perform private.post_drop_transaction(p_user_id, 'signup_bonus', v_signup_bonus, 'signup_bonus', 'Welcome to Nectar');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.open_battle(p_week date, p_moment timestamp with time zone)
 RETURNS SETOF nectar.battles
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_today constant date := (p_moment at time zone 'UTC')::date;
begin
  -- From when Monday begins in the first time zone until Sunday is over in UTC.
  if p_week between v_today - 6 and (p_moment at time zone 'UTC' + interval '14 hours')::date then
    insert into nectar.battles (week_start_date) values (p_week)
    on conflict on constraint battles_one_a_week do nothing;
  end if;
  update nectar.battles b set battle_status = 'in_progress', updated_at = p_moment
  where b.week_start_date = p_week and b.battle_status = 'pending' and p_week <= v_today;
  return query select b.* from nectar.battles b where b.week_start_date = p_week;
end $function$;

CREATE OR REPLACE FUNCTION private.open_current_battle(p_week date, p_moment timestamp with time zone)
 RETURNS SETOF nectar.battles
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.check_moment(p_moment);
  return query select b.* from private.open_battle(p_week, p_moment) b;
end $function$;

CREATE OR REPLACE FUNCTION private.open_days_of_chains()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.open_days (day_ends_at, user_id, chain_id) select n.day_ends_at, n.user_id, n.id from new_rows n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.open_subscriptions(p_user_id uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select s.payment_subscription_id from nectar.subscriptions s
    where s.user_id = p_user_id and not private.is_final_subscription_status(s.status)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.open_synthetic_turns(p_moment timestamp with time zone, p_after_end timestamp with time zone, p_after_chain_id uuid, p_max integer)
 RETURNS TABLE(chain_id uuid, user_id uuid, date date, activity_type nectar.activity_type, window_starts_at timestamp with time zone, window_ends_at timestamp with time zone, check_in_probability numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select c.id, c.user_id, c.date, c.activity_type, c.window_starts_at, c.window_ends_at, s.check_in_probability
    from private.open_days o
    join nectar.synthetic_users s on s.user_id = o.user_id and s.is_active
    join nectar.chains c on c.id = o.chain_id
    where c.window_starts_at <= p_moment and (c.window_ends_at, c.id) > (p_after_end, p_after_chain_id)
      -- A day ends less than two days after its window opens: not all days of the future are read.
      and o.day_ends_at <= p_moment + interval '2 days'
      and not exists (select from nectar.workout_checkins k where k.user_id = c.user_id and k.date = c.date)
    order by c.window_ends_at, c.id limit p_max
  $function$;

CREATE OR REPLACE FUNCTION private.open_tables_to_realtime()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_table text;
begin
  -- Roles are those of the whole server, so the role may exist without Supabase in this database.
  if exists (select from pg_catalog.pg_roles where rolname = 'authenticated')
    and to_regprocedure('auth.uid()') is not null
  then
    grant usage on schema nectar to authenticated;
    grant select (id, user_id, type, data, created_at, read_at) on nectar.notifications to authenticated;
    grant select (id, team_id, squad_id, entry_id, goal_id, room_id, sender_id, content, created_at) on nectar.team_messages to authenticated;
    -- Apps get by the same policies what they read from the API. What the policies call is not run as the table's owner.
    alter policy "a person sees their own notifications" on nectar.notifications to nectar_user, authenticated;
    alter policy "readers of a room see messages, not hidden or blocked ones"
      on nectar.team_messages to nectar_user, authenticated;
    grant select (id) on nectar.journal_entries to authenticated;
    grant select (entry_id) on nectar.journal_entry_contents to authenticated;
    grant select (goal_id) on nectar.goal_contents to authenticated;
    alter policy "an entry is seen by its author and its audience"
      on nectar.journal_entries to nectar_user, authenticated;
    alter policy "content is seen by its author and both its audiences"
      on nectar.journal_entry_contents to nectar_user, authenticated;
    alter policy "a description is seen by its owner and both its audiences"
      on nectar.goal_contents to nectar_user, authenticated;
    grant execute on function private.actor_id(), private.blocked_users(), private.is_in_squad(uuid),
      private.is_super_admin(), private.my_audiences(), private.public_audience(), private.withdrawn_shares(),
      private.member_share(uuid, uuid), private.is_withdrawn(uuid, uuid, boolean, uuid, uuid[]),
      private.is_reached(uuid, uuid, uuid[], uuid[]), private.sees_unshared(), private.can_see_entry(uuid),
      private.can_see_content(uuid, uuid) to authenticated;
  end if;
  if exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    foreach v_table in array '{notifications,team_messages}'::text[] loop
      if not exists (
        select from pg_catalog.pg_publication_tables
        where pubname = 'supabase_realtime' and schemaname = 'nectar' and tablename = v_table
      ) then
        execute format('alter publication supabase_realtime add table nectar.%I', v_table);
      end if;
    end loop;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.own_entries(p_from date, p_to date)
 RETURNS private.own_entry[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_me constant uuid := private.actor_id();
begin
  return array(
    select row(
      e.entry_date, extract(epoch from e.created_at), e.tags, e.tag_keys, coalesce(e.mood, c.found_mood), coalesce(c.words, 0)
    )::private.own_entry
    -- Day by day and entry by entry: for a few recent days the planner would rather read what everyone wrote. The days are
    -- made beforehand: under row-level security PostgreSQL 15 looks up no date that is still to be computed.
    from unnest(array(select p_from + n from generate_series(0, p_to - p_from) n)) d (day)
    cross join lateral (
      select r.id, r.entry_date, r.created_at, r.tags, r.tag_keys, r.mood
      from nectar.journal_entries r where r.user_id = v_me and r.entry_date = d.day offset 0
    ) e
    left join lateral (
      select r.found_mood, r.words from nectar.journal_entry_contents r where r.entry_id = e.id limit 1
    ) c on true
  );
end $function$;

CREATE OR REPLACE FUNCTION private.own_thing(p_entry_id uuid, p_goal_id uuid)
 RETURNS nectar.journal_entries
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_thing nectar.journal_entries := private.thing(p_entry_id, p_goal_id);
begin
  if v_thing.user_id = private.actor_id() then return v_thing; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.pack_differences()
 RETURNS TABLE(user_id uuid, kind private.ledger_difference, expected bigint, found bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    with paid as (
      select p.id, p.user_id, p.item_id as pack_id from nectar.drop_transactions p
      left join nectar.drop_transactions r
        on r.user_id = p.user_id and r.type = 'refund' and r.event_key = 'refund:' || p.id
      where p.type = 'purchase' and p.item_type = 'tone_pack' and r.id is null
    ), owned as (
      select b.transaction_id as id, b.user_id, b.pack_id from nectar.tone_pack_purchases b
      join nectar.tone_packs t on t.id = b.pack_id
      where b.refunded_at is null
    ), matched as (
      select coalesce(p.user_id, o.user_id) as user_id, count(p.id) as paid, count(o.id) as owned,
        count(*) filter (where p.id is not null and o.id is not null) as both
      from paid p
      full join owned o on o.id = p.id and o.user_id = p.user_id and o.pack_id = p.pack_id
      group by 1
    )
    select m.user_id, d.kind, d.expected, d.found from matched m
    cross join lateral (
      values
        ('purchase_without_pack'::private.ledger_difference, m.paid, m.both),
        ('pack_without_purchase', m.both, m.owned)
    ) d (kind, expected, found)
    where d.expected <> d.found;
end $function$;

CREATE OR REPLACE FUNCTION private.pass_on_invitations(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update nectar.invitations i set invited_by = o.owner_id
  from nectar.organizations o
  where o.id = i.org_id and i.invited_by = p_user_id
    and private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending';
  delete from private.idempotency_keys k where k.resource_id = p_user_id;
end $function$;

CREATE OR REPLACE FUNCTION private.person_with_email(p_address text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select a.user_id from nectar.accounts a where lower(a.email) = lower(p_address) limit 1 $function$;

CREATE OR REPLACE FUNCTION private.photo_bands(p_perceptual_hash bit)
 RETURNS integer[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return array[
    substring(p_perceptual_hash from 1 for 13)::bit(13)::integer,
    substring(p_perceptual_hash from 14 for 13)::bit(13)::integer + 8192,
    substring(p_perceptual_hash from 27 for 13)::bit(13)::integer + 16384,
    substring(p_perceptual_hash from 40 for 13)::bit(13)::integer + 24576,
    substring(p_perceptual_hash from 53 for 12)::bit(12)::integer + 32768
  ];
end $function$;

CREATE OR REPLACE FUNCTION private.plan_changed_reminder()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.reminder_due_at := case when new.reminder_time is not null then '-infinity'::timestamptz end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.player_cards(p_date date, p_user_ids uuid[])
 RETURNS SETOF private.player_card
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    select p.id, p.full_name, p.avatar_url, p.is_ai,
      row(to_char(c.window_start_time, 'HH24:MI'), to_char(c.window_end_time, 'HH24:MI'), c.timezone)::private.matched_window,
      c.activity_type, c.custom_activity
    -- A plan for any number of people is used again; one for this number would be made each time.
    from (select distinct o.id from unnest((select p_user_ids)::uuid[]) o (id)) o
    -- The limits make these a search for each of them; a join may read all profiles.
    cross join lateral (
      select c.window_start_time, c.window_end_time, c.timezone, c.activity_type, c.custom_activity
      from nectar.chains c where c.user_id = o.id and c.date = p_date limit 1
    ) c
    cross join lateral (
      select p.id, p.full_name, p.avatar_url, p.is_ai from nectar.profiles p where p.id = o.id limit 1
    ) p;
end $function$;

CREATE OR REPLACE FUNCTION private.player_record(p_user_id uuid)
 RETURNS TABLE(chips integer, battles_won integer, longest_streak integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
    select
      (
        select coalesce(sum(k.battle_chips_earned), 0) from nectar.workout_checkins k
        where k.user_id = p_user_id and k.status = 'verified'
      ),
      (
        select count(*) from nectar.team_colors t
        join nectar.battles b on b.week_start_date = t.week_start_date and b.winner::text = t.color::text
        where t.user_id = p_user_id
      ),
      (select coalesce(max(s.days), 0) from private.verified_streaks(p_user_id, '-infinity', 'infinity') s)
  $function$;

CREATE OR REPLACE FUNCTION private.players_around(p_date date, p_around uuid[], OUT areas text[], OUT players uuid[])
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_around is null then
    players := array(
      select w.user_id from nectar.workout_windows w where not private.is_off(w.away, w.rest_days, p_date)
      union
      select c.user_id from nectar.chains c where c.date = p_date
    );
  else
    areas := array(
      select h.area_key from private.player_areas h where h.user_id = any (p_around)
      union
      select c.area_key from nectar.chains c where c.date = p_date and c.user_id = any (p_around)
    );
    players := array(
      select h.user_id from private.player_areas h where h.area_key = any (areas)
      union
      select c.user_id from nectar.chains c where c.date = p_date and c.area_key = any (areas)
    );
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.post_drop_transaction(p_user_id uuid, p_type nectar.drop_transaction_type, p_amount integer, p_event_key text, p_description text, p_item_id uuid DEFAULT NULL::uuid, p_item_type text DEFAULT NULL::text)
 RETURNS nectar.drop_transactions
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_max_balance constant bigint := 2147483647;
  v_balance bigint;
  v_movement nectar.drop_transactions;
begin
  -- No other transaction can book on this account now, and each of the next statements sees what was booked before.
  select a.drops_balance into v_balance from nectar.accounts a where a.user_id = p_user_id for no key update;
  if not found then raise exception 'no such account' using errcode = 'NX000', detail = 'user.not_found'; end if;
  if exists (select from nectar.drop_transactions t where t.user_id = p_user_id and t.event_key = p_event_key) then
    return null;
  end if;
  v_balance := v_balance + p_amount;
  if v_balance < 0 then
    raise exception 'balance too low' using errcode = 'NX000', detail = 'drops.insufficient_balance';
  end if;
  if v_balance > v_max_balance then
    raise exception 'balance too high' using errcode = 'NX000', detail = 'drops.balance_too_high';
  end if;
  update nectar.accounts a set drops_balance = v_balance where a.user_id = p_user_id;
  insert into nectar.drop_transactions
    (user_id, type, amount, balance_after, description, item_id, item_type, event_key, created_at)
  values (
    p_user_id, p_type, p_amount, v_balance, p_description, p_item_id, p_item_type, p_event_key,
    private.next_drop_time((select max(t.created_at) from nectar.drop_transactions t where t.user_id = p_user_id))
  )
  returning * into v_movement;
  return v_movement;
end $function$;

CREATE OR REPLACE FUNCTION private.post_drop_transactions(p_amounts jsonb, p_type nectar.drop_transaction_type, p_event_key text, p_description text)
 RETURNS SETOF nectar.drop_transactions
 LANGUAGE plpgsql
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_max_balance constant bigint := 2147483647;
  v_user_ids uuid[];
  v_amounts integer[];
begin
  -- Joined as arrays: of jsonb the planner expects a hundred rows, and would read all accounts to book on one.
  select array_agg(w.user_id), array_agg(w.amount) into v_user_ids, v_amounts
  from jsonb_to_recordset(p_amounts) w (user_id uuid, amount integer);
  perform private.lock_profiles(v_user_ids);
  -- In the order of ids, so that two bookings of many accounts cannot deadlock.
  perform from nectar.accounts a where a.user_id = any (v_user_ids) order by a.user_id for no key update;
  return query
    with moved as (
      update nectar.accounts a set drops_balance = a.drops_balance + w.amount
      from unnest(v_user_ids, v_amounts) w (user_id, amount)
      where a.user_id = w.user_id
        and a.drops_balance + w.amount::bigint <= v_max_balance
        and not exists (select from nectar.drop_transactions t where t.user_id = w.user_id and t.event_key = p_event_key)
      returning a.user_id, w.amount, a.drops_balance
    )
    insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key, created_at)
    select m.user_id, p_type, m.amount, m.drops_balance, p_description, p_event_key,
      -- A look-up inside of the function would be a query of its own for each account: a tenth of the time of an award.
      private.next_drop_time((select max(t.created_at) from nectar.drop_transactions t where t.user_id = m.user_id))
    from moved m returning *;
end $function$;

CREATE OR REPLACE FUNCTION private.present_badge(p_badge nectar.user_badges)
 RETURNS private.badge
 LANGUAGE sql
 IMMUTABLE
RETURN ROW((p_badge).user_id, ((p_badge).level)::integer, (p_badge).total_drops_sent, (p_badge).engagement_increases, ((p_badge).success_rate)::numeric, (p_badge).bonus_drops_earned, (p_badge).run_days, (p_badge).last_sent_on)::private.badge;

CREATE OR REPLACE FUNCTION private.present_invitation(p_invitation nectar.invitations)
 RETURNS private.received_invitation
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select row(
      p_invitation.id,
      row(o.id, o.name, (select count(*) from nectar.organization_members m where m.org_id = o.id))
        ::private.inviting_organization,
      p_invitation.role, row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card,
      private.rfc3339(p_invitation.expires_at), private.rfc3339(p_invitation.created_at)
    )::private.received_invitation
    from nectar.organizations o
    join nectar.profiles p on p.id = p_invitation.invited_by
    where o.id = p_invitation.org_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.preview_audience(p_entry_id uuid, p_goal_id uuid, p_change jsonb)
 RETURNS private.entry_audience
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_groups constant uuid[] := array(select m.audience_id from private.audience_members m where m.user_id = v_actor);
  v_entry nectar.journal_entries := private.own_thing(p_entry_id, p_goal_id);
  v_notebook nectar.notebooks;
begin
  v_entry := jsonb_populate_record(v_entry, p_change);
  v_entry.user_id := v_actor;
  v_entry.inherit_visibility := coalesce(v_entry.inherit_visibility, true);
  if v_entry.notebook_id is not null then
    select * into v_notebook from nectar.notebooks n where n.id = v_entry.notebook_id and n.user_id = v_actor;
    if not found then raise exception 'no such notebook' using errcode = 'NX000', detail = 'notebook.not_found'; end if;
  end if;
  return private.audience(private.resolve_entry(v_entry, v_notebook, v_groups, '{}'), v_notebook);
end $function$;

CREATE OR REPLACE FUNCTION private.preview_invitation(p_token_hash bytea)
 RETURNS private.received_invitation
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.present_invitation(private.find_invitation(p_token_hash, null, false));
end $function$;

CREATE OR REPLACE FUNCTION private.preview_limit()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN 10000;

CREATE OR REPLACE FUNCTION private.preview_notebook_audience(p_notebook_id uuid, p_change jsonb)
 RETURNS private.notebook_preview
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_groups constant uuid[] := array(select m.audience_id from private.audience_members m where m.user_id = v_actor);
  v_notebook nectar.notebooks;
  v_after timestamptz;
  v_after_id uuid;
begin
  select * into v_notebook from nectar.notebooks n where n.id = p_notebook_id and n.user_id = v_actor;
  if not found then return null; end if;
  v_notebook := jsonb_populate_record(v_notebook, p_change);
  select f.created_at, f.id into v_after, v_after_id from private.last_before_preview(p_notebook_id) f;
  return (
    with axes as materialized (
      -- The entries that private.settle_notebook writes. Someone sees an axis who belongs to all of its audiences.
      select e.id, e.title, e.created_at, axis.* from nectar.journal_entries e
      cross join lateral private.entry_share(
        e.metadata_visibility, v_notebook.metadata_visibility, e, v_notebook, v_groups
      ) m
      cross join lateral private.entry_share(
        e.content_visibility, v_notebook.content_visibility, e, v_notebook, v_groups
      ) c
      cross join lateral (values
        (
          'metadata', array[e.metadata_audience_id], array[m.audience_id], e.effective_metadata_visibility, m.visibility
        ),
        (
          'content', array[e.metadata_audience_id, e.content_audience_id], array[m.audience_id, c.audience_id],
          least(e.effective_metadata_visibility, e.effective_content_visibility), least(m.visibility, c.visibility)
        )
      ) axis (name, audiences_before, audiences_after, visibility_before, visibility_after)
      where e.notebook_id = p_notebook_id and (e.created_at, e.id) > (v_after, v_after_id) and e.inherit_visibility
        and 'user' in (e.metadata_visibility, e.content_visibility)
        and axis.audiences_after <> axis.audiences_before
    ),
    kinds as materialized (
      select k.*,
        not private.is_all_within(k.audiences_after, k.audiences_before) as is_widened,
        not private.is_all_within(k.audiences_before, k.audiences_after) as is_narrowed
      from (select distinct a.audiences_before, a.audiences_after from axes a) k
    ),
    changes as materialized (
      select a.*, k.is_widened, k.is_narrowed from axes a
      join kinds k using (audiences_before, audiences_after)
      where k.is_widened or k.is_narrowed
    )
    select row(
      v_after > '-infinity',
      (select count(distinct c.id) from changes c),
      (select count(*) from changes c where c.is_widened),
      (select count(*) from changes c where c.is_narrowed),
      array(
        select row(
          c.id, c.title, c.name::private.visibility_axis, c.visibility_before, c.visibility_after
        )::private.preview_example
        from changes c order by c.is_widened desc, c.created_at desc, c.id desc, c.name desc limit 20
      )
    )::private.notebook_preview
  );
end $function$;

CREATE OR REPLACE FUNCTION private.process_engagement(p_moment timestamp with time zone, p_after_sender_id uuid, p_after_drop_id uuid, p_limit integer, OUT last_sender uuid, OUT last_drop uuid, OUT checked integer, OUT engaged integer, OUT bonus_awarded integer, OUT badges_updated integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
  v_bonus integer;
  v_senders uuid[];
  v_drops uuid[];
  v_closing uuid[];
  v_were_engaged boolean[];
  v_closing_senders uuid[];
  v_synthetic_senders uuid[];
  v_changes jsonb;
begin
  -- One at a time: two runs over the same drops would only wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('process engagement', 0));
  select c.bonus_drops_per_engagement into v_bonus from nectar.encouragement_config c;
  select count(*), 0, 0, 0,
    array_agg(p.id) filter (where p.was_engaged or p.is_over),
    array_agg(p.was_engaged) filter (where p.was_engaged or p.is_over),
    array_agg(p.sender_id) filter (where p.was_engaged or p.is_over),
    array_agg(p.sender_id order by p.sender_id, p.id),
    array_agg(p.id order by p.sender_id, p.id)
  into checked, engaged, bonus_awarded, badges_updated, v_closing, v_were_engaged, v_closing_senders, v_senders, v_drops
  from private.next_open_drops(p_moment, p_after_sender_id, p_after_drop_id, p_limit) p;
  last_sender := v_senders[checked];
  last_drop := v_drops[checked];
  if v_closing is null then return; end if;
  -- Locks the senders' profiles before their rows, as account deletion does, to avoid deadlocks.
  select coalesce(array_agg(l.id) filter (where l.is_ai), '{}') into v_synthetic_senders
  from (
    select p.id, p.is_ai from nectar.profiles p where p.id = any ((select v_closing_senders)::uuid[]) for key share
  ) l;
  with closed as (
    update nectar.encouragement_drops d
    set engagement = (case when s.is_ai then 'never' when c.was_engaged then 'engaged' else 'expired' end
        )::nectar.engagement_state,
      engaged_at = case when c.was_engaged and not s.is_ai then p_moment end,
      bonus_drops_awarded = case when c.was_engaged and not s.is_ai then v_bonus else 0 end
    from unnest(v_closing, v_closing_senders, v_were_engaged) c (id, sender_id, was_engaged)
    cross join lateral (select c.sender_id = any (v_synthetic_senders) as is_ai) s
    where d.id = c.id and d.engagement = 'open'
      -- The batch is read at once, instead of one drop after the other.
      and (d.sender_id, d.id) > (coalesce(p_after_sender_id, v_nil), coalesce(p_after_drop_id, v_nil))
      and (d.sender_id, d.id) <= (last_sender, last_drop)
    returning d.sender_id, d.engagement
  ), earned as (
    select c.sender_id, count(*)::integer as successes from closed c where c.engagement = 'engaged' group by c.sender_id
  )
  select
    coalesce(sum(e.successes), 0),
    jsonb_agg(jsonb_build_object('user_id', e.sender_id, 'engaged', e.successes, 'bonus', e.successes * v_bonus))
  into engaged, v_changes
  from earned e;
  bonus_awarded := engaged * v_bonus;
  perform private.grant_encouragement_bonus(v_changes, p_moment);
  select count(*) into badges_updated from private.advance_badges(v_changes, p_moment);
end $function$;

CREATE OR REPLACE FUNCTION private.public_audience()
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '00000000-0000-0000-0000-000000000000'::uuid;

CREATE OR REPLACE FUNCTION private.audience_of(p_visibility nectar.visibility, p_author_id uuid, p_team_id uuid, p_org_id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE p_visibility WHEN 'team'::nectar.visibility THEN p_team_id WHEN 'org'::nectar.visibility THEN p_org_id WHEN 'public'::nectar.visibility THEN private.public_audience() ELSE p_author_id END;

CREATE OR REPLACE FUNCTION private.audiences_of_scope(p_scope text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
RETURN CASE p_scope WHEN 'all'::text THEN private.my_audiences() WHEN 'shared'::text THEN array_remove(private.my_audiences(), private.public_audience()) WHEN 'public'::text THEN CASE WHEN (private.public_audience() = ANY (private.my_audiences())) THEN ARRAY[private.public_audience()] ELSE '{}'::uuid[] END ELSE '{}'::uuid[] END;

CREATE OR REPLACE FUNCTION private.content_audience(p_user_id uuid, p_metadata_audience_id uuid, p_content_audience_id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_metadata_audience_id = p_content_audience_id) THEN p_content_audience_id WHEN (p_user_id = ANY (ARRAY[p_metadata_audience_id, p_content_audience_id])) THEN p_user_id WHEN (p_metadata_audience_id = private.public_audience()) THEN p_content_audience_id WHEN (p_content_audience_id = private.public_audience()) THEN p_metadata_audience_id ELSE (md5(((LEAST(p_metadata_audience_id, p_content_audience_id))::text || (GREATEST(p_metadata_audience_id, p_content_audience_id))::text)))::uuid END;

CREATE OR REPLACE FUNCTION private.is_in_scope(p_scope text, p_audiences uuid[], p_user_id uuid, p_audience_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN CASE p_scope WHEN 'all'::text THEN true WHEN 'own'::text THEN (p_user_id = private.actor_id()) WHEN 'shared'::text THEN ((p_audience_id = ANY (p_audiences)) AND (p_user_id <> private.actor_id())) ELSE (p_audience_id = private.public_audience()) END;

CREATE OR REPLACE FUNCTION private.is_reached(p_audience_id uuid, p_author_id uuid, p_audiences uuid[], p_blocked uuid[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_audience_id = ANY (p_audiences)) OR ((p_audience_id = private.public_audience()) AND (p_author_id <> ALL (p_blocked))));

CREATE OR REPLACE FUNCTION private.purchase_tone_pack(p_pack_id uuid, p_expected_price bigint)
 RETURNS private.tone_pack_receipt
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_offer nectar.tone_packs;
  v_id constant uuid := gen_random_uuid();
  v_movement nectar.drop_transactions;
  v_purchase nectar.tone_pack_purchases;
begin
  select * into v_offer from nectar.tone_packs p where p.id = p_pack_id for share;
  if not found or (v_offer.hidden_at is not null and v_offer.owner_id <> v_actor) then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  perform from nectar.accounts a where a.user_id = v_actor for no key update;
  if exists (
    select from nectar.tone_pack_purchases b where b.pack_id = p_pack_id and b.user_id = v_actor and b.refunded_at is null
  ) then
    raise exception 'bought already' using errcode = 'NX000', detail = 'tone_pack.already_purchased';
  end if;
  if v_offer.deleted_at is not null then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  if v_offer.owner_id = v_actor then
    raise exception 'own tone pack' using errcode = 'NX000', detail = 'tone_pack.own_pack';
  end if;
  if (not v_offer.is_public or private.has_block(v_actor, v_offer.owner_id))
    and not exists (select from nectar.tone_pack_shares s where s.pack_id = p_pack_id and s.user_id = v_actor) then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  if v_offer.price_drops <> p_expected_price then
    raise exception 'price changed' using errcode = 'NX000', detail = 'tone_pack.price_changed';
  end if;
  v_movement := private.post_drop_transaction(
    v_actor, 'purchase', -v_offer.price_drops, 'purchase:' || v_id, 'Tone pack: ' || v_offer.name, p_pack_id, 'tone_pack'
  );
  insert into nectar.tone_pack_purchases (id, pack_id, user_id, price_drops, transaction_id)
    values (v_id, p_pack_id, v_actor, v_offer.price_drops, v_movement.id) returning * into v_purchase;
  return row(
    row(
      v_purchase.id, v_purchase.pack_id, v_purchase.user_id, v_purchase.price_drops, private.rfc3339(v_purchase.created_at)
    )::private.tone_pack_purchase,
    row(
      v_movement.id, v_movement.amount, v_movement.balance_after, v_movement.description, v_movement.item_id,
      private.rfc3339(v_movement.created_at)
    )::private.paying_movement,
    v_movement.balance_after
  )::private.tone_pack_receipt;
end $function$;

CREATE OR REPLACE FUNCTION private.push_setting(p_type nectar.notification_type, p_push jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN COALESCE(((p_push ->> (p_type)::text))::boolean, (p_type <> ALL (ARRAY['battle_progress'::nectar.notification_type, 'weekly_stats'::nectar.notification_type, 'team_message'::nectar.notification_type, 'goal_update'::nectar.notification_type])));

CREATE OR REPLACE FUNCTION private.queue_blocked_players(p_block nectar.blocks)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.players_to_match (user_id)
  select mine.user_id from private.player_areas mine
  join private.player_areas other on other.user_id = p_block.blocked_id and other.area_key = mine.area_key
  where mine.user_id = p_block.user_id;
end $function$;

CREATE OR REPLACE FUNCTION private.queue_pushes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.push_deliveries (notification_id, subscription_id)
  select c.id, s.id from created c
  -- Not plain joins, because the planner would read all devices and all accounts for a thousand notifications. Locked, so
  -- that a device that is being unsubscribed is skipped, instead of failing what caused the notification.
  cross join lateral (select s.id from nectar.push_subscriptions s where s.user_id = c.user_id for key share) s
  where (
      select a.preferences -> 'notifications' from nectar.accounts a where a.user_id = c.user_id
    ) is distinct from 'false'::jsonb
    -- Of comments only those on what is theirs.
    and (c.type <> 'comment' or (c.data ->> 'is_yours')::boolean)
    and private.push_setting(c.type, (select t.push from nectar.notification_settings t where t.user_id = c.user_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.quiet_until(p_zone text, p_start time without time zone, p_end time without time zone, p_moment timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_local constant timestamp := p_moment at time zone p_zone;
  v_local_end timestamp := v_local::date + p_end;
  v_end timestamptz;
begin
  if not private.is_quiet(p_start, p_end, v_local::time) then return null; end if;
  if v_local_end <= v_local then v_local_end := v_local_end + interval '1 day'; end if;
  v_end := p_moment + (v_local_end - v_local);
  if v_end at time zone p_zone = v_local_end then return v_end; end if;
  -- The clocks change before the end. It may be skipped, so that quiet hours of nearly a day last for two.
  return (
    select min(minute)
    from generate_series(date_trunc('minute', p_moment), p_moment + interval '49 hours', interval '1 minute') minute
    where not private.is_quiet(p_start, p_end, (minute at time zone p_zone)::time)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.quotas()
 RETURNS TABLE(name text, max_units integer, period text)
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return query
    values
      ('tone_analysis', 60, 'hour'),
      ('background_generation', 20, 'day'),
      ('tone_pack_images', 100, 'day'),
      ('tone_pack_share', 30, 'day'),
      ('member_add', 200, 'day'),
      ('invitation', 20, 'day'),
      ('window_change', 20, 'hour'),
      ('chain_generation', 20, 'hour'),
      ('checkin_upload', 20, 'day'),
      ('photo_examination', 30, 'day'),
      ('picture_upload', 200, 'day'),
      ('picture_examination', 100, 'day'),
      ('team_message', 60, 'minute'),
      ('report', 30, 'day'),
      ('journal_import', 20, 'day'),
      ('journal_import_start', 40, 'day'),
      ('entry_mood', 200, 'day'),
      ('export', 5, 'day');
end $function$;

CREATE OR REPLACE FUNCTION private.read_allowance(p_user_id uuid, p_date date)
 RETURNS private.drop_allowance
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select row(
      c.daily_allowance, coalesce(a.drops_used, 0),
      coalesce(a.bonus_earned, 0) + private.unused_bonus(y), coalesce(a.custom_drops_used, 0),
      c.max_custom_drops_per_day
    )::private.drop_allowance
    from nectar.encouragement_config c
    left join nectar.encouragement_allowances a on a.user_id = p_user_id and a.date = p_date
    left join nectar.encouragement_allowances y on y.user_id = p_user_id and y.date = p_date - 1
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_audience(p_entry_id uuid, p_goal_id uuid)
 RETURNS private.entry_audience
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_entry nectar.journal_entries := private.own_thing(p_entry_id, p_goal_id);
  v_notebook nectar.notebooks;
begin
  if v_entry.id is null then return null; end if;
  v_entry := private.settled_entry(v_entry);
  select * into v_notebook from nectar.notebooks n where n.id = v_entry.notebook_id;
  return private.audience(v_entry, v_notebook);
end $function$;

CREATE OR REPLACE FUNCTION private.read_balance(p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (select a.drops_balance from nectar.accounts a where a.user_id = p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.read_chain(p_user_id uuid, p_date date, p_of_squad boolean)
 RETURNS private.chain_of_day
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select row(
      c.team_color, c.before_user_id, c.after_user_id,
      case
        when q.id is not null then row(q.user_1_id, q.user_2_id, q.user_3_id, q.team_color)::private.squad_of_day
      end,
      array(
        select k from private.player_cards(
          p_date, array[c.user_id, c.before_user_id, c.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id]
        ) k
      ),
      array(
        select s
        from private.check_ins_of(
          case
            when p_of_squad then array[q.user_1_id, q.user_2_id, q.user_3_id]
            else array[c.before_user_id, c.user_id, c.after_user_id]
          end,
          p_date
        ) s
        order by s.created_at, s.id
      )
    )::private.chain_of_day
    from nectar.chains c
    left join nectar.squads q on q.id = c.squad_id
    where c.date = p_date and c.user_id = p_user_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_days(p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS private.days_in_state[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_me constant uuid := private.actor_id();
  -- A window ends at most a day after its date, its day another day later, and no time zone is more than a day behind.
  v_maybe_open constant date := (p_moment at time zone 'UTC')::date - 3;
begin
  return array(
    select row(
      private.day_state(d.status, null, null, null, p_moment, p_grace_minutes), d.status is not null,
      array_agg(d.date - date '1970-01-01')
    )::private.days_in_state
    from (
      select coalesce(k.date, c.date) as date, k.status
      from (select k.date, k.status from nectar.workout_checkins k where k.user_id = v_me) k
      full join (select c.date from nectar.chains c where c.user_id = v_me and c.date < v_maybe_open) c on c.date = k.date
    ) d
    group by d.status
    union all
    select row(
      private.day_state(null, c.window_starts_at, c.window_ends_at, c.day_ends_at, p_moment, p_grace_minutes), false,
      array[c.date - date '1970-01-01']
    )::private.days_in_state
    from nectar.chains c
    where c.user_id = v_me and c.date >= v_maybe_open
      and not exists (select from nectar.workout_checkins k where k.user_id = v_me and k.date = c.date)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_erasure()
 RETURNS private.erasure
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  return (
    with owned as (
      select o.id, o.name, o.is_used, exists (
        select from nectar.organization_members m
        where m.org_id = o.id and m.user_id <> v_actor and private.is_human(m.user_id)
      ) as has_others
      from nectar.organizations o where o.owner_id = v_actor
    )
    select row(
      row(
        (select count(*) from nectar.journal_entries e where e.user_id = v_actor),
        a.drops_balance,
        cardinality(private.open_subscriptions(v_actor)) > 0,
        (
          select count(*) from nectar.tone_packs p
          where p.owner_id = v_actor and exists (
            select from nectar.tone_pack_purchases b where b.pack_id = p.id and b.refunded_at is null
          )
        ),
        array(select row(o.id, o.name)::private.named from owned o where o.has_others and o.is_used order by o.name, o.id),
        array(select row(o.id, o.name)::private.named from owned o where o.has_others and not o.is_used order by o.name, o.id),
        array(select row(o.id, o.name)::private.named from owned o where not o.has_others order by o.name, o.id),
        (
          select count(*) from nectar.teams t
          where t.admin_id = v_actor and t.org_id not in (select o.id from owned o where not o.has_others)
        )
      )::private.erasure_preview,
      case when a.erases_at is not null then
        row(private.rfc3339(a.erasure_requested_at), private.rfc3339(a.erases_at))::private.erasure_times
      end
    )::private.erasure
    from nectar.accounts a where a.user_id = v_actor
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_goal(p_id uuid, p_moment timestamp with time zone)
 RETURNS SETOF private.shown_goal
 LANGUAGE plpgsql
 ROWS 1
 SET search_path TO ''
AS $function$
begin
  if not current_setting('transaction_read_only')::boolean then perform private.log_reads(array[p_id], true); end if;
  return query select * from private.shown_goals(array[p_id], p_moment);
end $function$;

CREATE OR REPLACE FUNCTION private.read_journal_stats(p_from date, p_to date, p_now timestamp with time zone)
 RETURNS private.journal_stats
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_today constant date := private.date_of(private.actor_id(), p_now);
  v_to constant date := coalesce(p_to, v_today);
  -- Dates before year 1 cannot be written with four digits.
  v_from constant date := coalesce(p_from, greatest(v_to - 29, date '0001-01-01'));
  v_entries private.own_entry[];
  v_days private.written_day[];
begin
  if v_from > v_to then
    raise exception 'range ends before it begins' using errcode = 'NX000', detail = 'request.invalid',
      column = 'from', hint = 'must not be after `to`';
  elsif v_to - v_from >= 366 then
    raise exception 'range too long' using errcode = 'NX000', detail = 'request.invalid',
      column = 'from', hint = 'must be at most 365 days before `to`';
  end if;
  v_entries := private.own_entries(v_from, v_to);
  v_days := private.written_days(v_entries);
  return (
    with streaks as (
      select count(*) as days, max(s.date) as last_date
      from (
        select d.date, d.date - row_number() over (order by d.date)::integer as run from unnest(v_days) d
      ) s
      group by s.run
    ),
    -- What is about tomorrow neither continues nor ends the current streak.
    current_streak as (
      select s.days - greatest(s.last_date - v_today, 0) as days from streaks s
      where s.last_date >= v_today - 1 and s.days > s.last_date - v_today order by s.last_date limit 1
    )
    select row(
      v_from, v_to, cardinality(v_entries),
      coalesce((select sum(d.words) from unnest(v_days) d), 0), cardinality(v_days),
      coalesce((select c.days from current_streak c), 0),
      coalesce((select max(s.days) from streaks s), 0),
      private.count_moods(v_entries), private.count_tags(v_entries),
      array(
        select row(v_from + n, coalesce(d.entries, 0), coalesce(d.words, 0), d.mood)::private.written_day
        from generate_series(0, v_to - v_from) n
        left join unnest(v_days) d on d.date = v_from + n
        order by n
      ),
      array(
        select row(n, coalesce(sum(d.entries), 0))::private.weekday_count
        from generate_series(1, 7) n
        left join unnest(v_days) d on extract(isodow from d.date) = n
        group by n order by n
      ),
      private.read_wellness_averages(v_from, v_to)
    )::private.journal_stats
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_location(p_user_id uuid)
 RETURNS private.sent_location
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select row(
      l.user_id, host(l.ip_address), l.latitude, l.longitude, l.city, l.region, l.country, l.timezone,
      private.rfc3339(l.updated_at)
    )::private.sent_location
    from nectar.user_locations l where l.user_id = p_user_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_matching(p_date date, p_around uuid[] DEFAULT NULL::uuid[])
 RETURNS TABLE(user_id uuid, is_ai boolean, area_key text, is_area_in_scope boolean, color nectar.team_color, left_out boolean, has_checkin boolean, has_left boolean, play_window json, chain json, is_chain_in_scope boolean, blocked uuid[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  v_areas text[];
  v_players uuid[];
begin
  select a.areas, a.players into v_areas, v_players from private.players_around(p_date, p_around) a;
  return query
  -- Materialized, so that the few blocks are found once and not for each player.
  with apart as materialized (
    select b.user_id, array_agg(b.blocked_id) as blocked from nectar.blocks b
    where b.user_id = any ((select v_players)::uuid[]) group by b.user_id
  ), closing as materialized (select a.user_id from nectar.accounts a where a.erases_at is not null)
  select p.id, p.is_ai, h.area_key, p_around is null or h.area_key = any (v_areas), t.color,
    y.id is not null and y.squad_id is null, k.id is not null,
    not p.is_ai and (coalesce(private.is_off(w.away, w.rest_days, p_date), false) or p.id in (select g.user_id from closing g)),
    case when e.timezone is not null then json_build_object(
      'activity', e.activity_type, 'custom_activity', e.custom_activity, 'timezone', e.timezone,
      'window_start', e.window_start_time, 'window_end', e.window_end_time
    ) end,
    case when c.id is not null then json_build_object(
      'before', c.before_user_id, 'after', c.after_user_id, 'squadId', c.squad_id, 'area_key', c.area_key,
      'activity', c.activity_type, 'custom_activity', c.custom_activity, 'timezone', c.timezone,
      'window_start', c.window_start_time, 'window_end', c.window_end_time,
      'starts_at', extract(epoch from c.window_starts_at) * 1000, 'ends_at', extract(epoch from c.window_ends_at) * 1000,
      'day_ends_at', extract(epoch from c.day_ends_at) * 1000
    ) end,
    p_around is null or c.area_key = any (v_areas), a.blocked
  from unnest(v_players) as n (id)
  join nectar.profiles p on p.id = n.id
  left join private.player_areas h on h.user_id = p.id
  left join nectar.workout_windows w on w.user_id = p.id
  left join nectar.user_locations l on l.user_id = p.id
  left join lateral (
    select w.activity_type, w.custom_activity, w.timezone, w.window_start_time, w.window_end_time
    where w.effective_from <= p_date
    union all
    select w.previous_activity_type, w.previous_custom_activity, w.previous_timezone, w.previous_window_start_time,
      w.previous_window_end_time
    where w.effective_from > p_date and w.previous_timezone is not null
  ) e on not private.is_off(w.away, w.rest_days, p_date) and (not p.is_ai or l.latitude is not null) and p.id not in (select g.user_id from closing g)
  left join nectar.chains c on c.date = p_date and c.user_id = p.id
  left join nectar.chains y on y.date = p_date - 1 and y.user_id = p.id
  left join nectar.team_colors t on t.week_start_date = private.week_start(p_date) and t.user_id = p.id
  left join nectar.workout_checkins k on k.date = p_date and k.user_id = p.id
  left join apart a on a.user_id = p.id
  for key share of p;
end $function$;

CREATE OR REPLACE FUNCTION private.read_mood_calendar(p_year integer, p_now timestamp with time zone)
 RETURNS private.mood_calendar
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_year constant integer := coalesce(p_year, extract(year from private.date_of(private.actor_id(), p_now)));
begin
  return row(
    v_year, (private.read_journal_stats(make_date(v_year, 1, 1), make_date(v_year, 12, 31), p_now)).by_day
  )::private.mood_calendar;
end $function$;

CREATE OR REPLACE FUNCTION private.read_notification_settings(p_user_id uuid)
 RETURNS private.notification_choices
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select row(
      (
        select json_object_agg(t.type, private.push_setting(t.type, s.push))
        from unnest(enum_range(null::nectar.notification_type)) t (type)
      ),
      case when s.quiet_start is not null then
        row(to_char(s.quiet_start, 'HH24:MI'), to_char(s.quiet_end, 'HH24:MI'))::private.quiet_hours
      end,
      case when s.reminder_time is not null then
        row(to_char(s.reminder_time, 'HH24:MI'), s.reminder_weekdays, s.reminder_only_if_not_written)
          ::private.journal_reminder
      end
    )::private.notification_choices
    from (select p_user_id as user_id) p
    left join nectar.notification_settings s on s.user_id = p.user_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_profile(p_user_id uuid)
 RETURNS private.own_profile
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select row(
      p.id, a.email, p.full_name, p.avatar_url,
      a.preferences || jsonb_build_object(
        -- Null while the pack is hidden by moderation; it is active again if that is reversed.
        'active_tone_pack_id', (select t.id from nectar.tone_packs t where t.id = a.active_tone_pack_id)
      ),
      a.drops_balance, p.is_ai, coalesce(r.role, 'user'), a.read_notes_enabled, a.check_in_enabled, a.timezone,
      a.leaderboard_visible, a.is_premium,
      case when a.suspended_until > now() then private.rfc3339(a.suspended_until) end,
      private.rfc3339(p.created_at), private.rfc3339(greatest(p.updated_at, a.updated_at))
    )::private.own_profile
    from nectar.profiles p
    join nectar.accounts a on a.user_id = p.id
    left join nectar.user_roles r on r.user_id = p.id
    where p.id = p_user_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_user(p_user_id uuid, p_moment timestamp with time zone)
 RETURNS private.user_page
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- Looks for a block last, so that it takes no less time than for a stranger.
  if not private.can_see_person(p_user_id, p_moment) or p_user_id = any (private.blocked_users()) then
    return null;
  end if;
  return (
    select row(
      p.id, p.full_name, p.avatar_url, p.is_ai, case when not p.is_ai then b.level end,
      array(
        select row(o.id, o.name)::private.named from nectar.organization_members m
        join nectar.organizations o on o.id = m.org_id
        where m.user_id = p.id and m.org_id in (select private.my_organization_ids()) order by o.name, o.id limit 500
      )
    )::private.user_page
    from nectar.profiles p
    left join nectar.user_badges b on b.user_id = p.id
    where p.id = p_user_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_wellness_averages(p_from date, p_to date)
 RETURNS private.wellness_averages
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_me constant uuid := private.actor_id();
  v_zone constant text := private.known_zone((select a.timezone from nectar.accounts a where a.user_id = v_me));
begin
  return (
    select row(round(avg(w.rating), 2), round(avg(w.hours), 2))::private.wellness_averages
    from nectar.wellness_entries w
    where w.user_id = v_me
      and w.created_at >= private.first_instant(p_from, v_zone)
      and w.created_at < private.first_instant(p_to + 1, v_zone)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.read_window(p_user_id uuid)
 RETURNS private.sent_window
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select row(
      w.id, w.user_id, w.activity_type, w.custom_activity, w.window_start_time, w.window_end_time, w.timezone, w.away,
      w.rest_days, w.effective_from, w.previous_activity_type, w.previous_custom_activity, w.previous_window_start_time,
      w.previous_window_end_time, w.previous_timezone, private.rfc3339(w.created_at), private.rfc3339(w.updated_at)
    )::private.sent_window
    from nectar.workout_windows w where w.user_id = p_user_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.readers_of(p_user_id uuid, p_address text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select d.recipient_id from nectar.encouragement_drops d where d.sender_id = p_user_id
    union select d.sender_id from nectar.encouragement_drops d where d.recipient_id = p_user_id
    union select n.user_id from nectar.notifications n
      where n.caused_by = p_user_id and n.type in ('drop_received', 'baton_pass', 'battle_update', 'comment')
    union select b.user_id from nectar.blocks b where b.blocked_id = p_user_id and b.is_named
    union select r.user_id from private.logged_reads r where r.reader_id = p_user_id
    union select i.invited_by from nectar.invitations i where lower(i.email) = lower(p_address)
    union select m.user_id from private.email_messages m
      where m.recipient_hash = private.email_address_hash(p_address)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.recalculate_badges(p_user_ids uuid[], p_moment timestamp with time zone)
 RETURNS TABLE(user_id uuid, climbed boolean)
 LANGUAGE sql
 SET search_path TO ''
AS $function$
    select a.user_id, a.climbed
    from private.advance_badges(
      (
        select jsonb_agg(jsonb_build_object('user_id', b.user_id)) from nectar.user_badges b
        join private.next_badges n on n.level = b.level
        where b.user_id = any (p_user_ids) and b.engagement_increases >= n.min_engagement_increases
      ),
      p_moment
    ) a
  $function$;

CREATE OR REPLACE FUNCTION private.recalculate_my_badge(p_moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.check_moment(p_moment);
  return coalesce((select r.climbed from private.recalculate_badges(array[private.actor_id()], p_moment) r), false);
end $function$;

CREATE OR REPLACE FUNCTION private.recalculate_recent_badges(p_moment timestamp with time zone, p_after_user_id uuid, p_limit integer, OUT last_user uuid, OUT seen integer, OUT badges_updated integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_people constant uuid[] := array(
    select b.user_id from nectar.user_badges b
    join private.next_badges n on n.level = b.level
    where b.last_sent_on >= (p_moment at time zone 'UTC')::date - 1
      and b.engagement_increases >= n.min_engagement_increases
      and b.user_id > coalesce(p_after_user_id, '00000000-0000-0000-0000-000000000000')
    order by b.user_id limit p_limit
  );
begin
  seen := cardinality(v_people);
  last_user := v_people[seen];
  select count(*) into badges_updated from private.recalculate_badges(v_people, p_moment) r where r.climbed;
end $function$;

CREATE OR REPLACE FUNCTION private.reconcile_drops()
 RETURNS private.reconciliation
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    with differences as (select * from private.ledger_differences()), ledger as (
      select count(*) as movements,
        sum(t.amount) filter (where t.type in ('signup_bonus', 'monthly_recurring')) as issued,
        -sum(t.amount) filter (where t.type = 'purchase') as spent,
        sum(t.amount) filter (where t.type = 'refund') as refunded,
        sum(t.amount) filter (where t.type = 'admin_adjustment') as adjusted
      from nectar.drop_transactions t
    ), supply as (
      select (select count(*) from nectar.accounts) as accounts, l.movements,
        coalesce(l.issued, 0) + e.issued as issued, coalesce(l.spent, 0) + e.spent as spent,
        coalesce(l.refunded, 0) + e.refunded as refunded, coalesce(l.adjusted, 0) + e.adjusted as adjusted,
        e.balance as erased, coalesce((select sum(a.drops_balance) from nectar.accounts a), 0) as circulating
      from ledger l
      cross join private.erased_totals e
    )
    select row(
      not exists (select from differences)
        and s.issued + s.refunded + s.adjusted - s.spent - s.erased = s.circulating,
      s.accounts, s.movements, s.issued, s.spent, s.refunded, s.adjusted, s.erased, s.circulating,
      array(
        select row(d.user_id, d.kind, d.expected, d.found)::private.reconciliation_difference
        from differences d order by d.kind, d.user_id limit 100
      )
    )::private.reconciliation
    from supply s
  );
end $function$;

CREATE OR REPLACE FUNCTION private.record_acting_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.record_member_acted(array(select (to_jsonb(new) ->> c.name)::uuid from unnest(tg_argv) c (name)));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.record_acting_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.record_owner_acted(coalesce(new.org_id, old.org_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.record_appeal_decision(p_appeal_id uuid, p_status nectar.appeal_status, p_answer text, p_decided_by uuid, p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS private.sent_appeal
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_appeal nectar.moderation_appeals;
  v_checkin_id uuid;
begin
  update nectar.moderation_appeals a
    set status = p_status, answer = p_answer, decided_by = p_decided_by, decided_at = p_moment where a.id = p_appeal_id
    returning * into v_appeal;
  update nectar.moderation_decisions d set photo_key = null where d.id = v_appeal.decision_id and d.photo_key is not null;
  if p_status = 'reversed' then
    perform private.undo_decision(v_appeal.decision_id, p_moment);
    -- Not if a new photo has taken its place, or another review has followed.
    select k.id into v_checkin_id from nectar.moderation_decisions d
    join nectar.workout_checkins k on k.id = d.target_id and k.status = 'rejected' and k.reviewed_at = d.decided_at
    where d.id = v_appeal.decision_id and d.decision = 'reject';
    if found then
      perform private.review_check_in(v_checkin_id, 'verified', p_answer, p_decided_by, p_moment, p_grace_minutes);
    end if;
  end if;
  perform private.notify(
    v_appeal.owner_id, 'moderation', jsonb_build_object('decision_id', v_appeal.decision_id, 'appeal_id', v_appeal.id)
  );
  return private.appeal_to_send(v_appeal);
end $function$;

CREATE OR REPLACE FUNCTION private.record_check_in(p_check_in jsonb, p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS TABLE(checkin_id uuid, is_next_notified boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_person constant uuid := private.actor_id();
  v_given record;
  v_existing record;
  v_recorded record;
begin
  perform private.check_moment(p_moment);
  select * into v_given
  from jsonb_to_record(p_check_in) c (
    date date, activity_type nectar.activity_type, photo_timestamp timestamptz, taken_offset text, is_early boolean,
    file_id uuid, perceptual_hash bit(64), location_lat numeric, location_lng numeric, flags text[]
  );
  -- Two days after a date it is over everywhere, and a date begins at most fourteen hours before it does in UTC.
  if (
    v_given.date between (p_moment at time zone 'UTC')::date - 2
      and (p_moment at time zone 'UTC' + interval '14 hours')::date
  ) is not true then
    raise exception 'the date is not open' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  if (p_grace_minutes between 0 and 120) is not true then
    raise exception 'the grace is out of range' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  -- One check-in of a person at a time, and one photo at a time of those that may look alike.
  perform private.lock_check_in(v_person);
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('check-in photo ' || b.band::text, 0))
  from unnest(private.photo_bands(v_given.perceptual_hash)) b (band);
  select k.id, k.status into v_existing from nectar.workout_checkins k where k.user_id = v_person and k.date = v_given.date;
  if v_existing.status <> 'rejected' then
    raise exception 'there is a check-in of this date' using errcode = 'NX000', detail = 'checkin.already_checked_in';
  end if;
  if private.is_photo_seen(v_given.perceptual_hash) then v_given.flags := 'seen_before'::text || v_given.flags; end if;
  select r.* into v_recorded
  from private.record_check_ins(
    jsonb_build_array(jsonb_build_object(
      'user_id', v_person, 'date', v_given.date, 'activity_type', v_given.activity_type,
      'photo_timestamp', v_given.photo_timestamp, 'is_early', v_given.is_early, 'checked_in_at', p_moment,
      'status', case when cardinality(v_given.flags) = 0 then 'verified' else 'pending' end, 'replaced_id', v_existing.id
    )),
    p_moment, p_grace_minutes
  ) r;
  -- The day was closed while the photo was examined, and the next person has been notified.
  if cardinality(v_recorded.checkin_ids) = 0 then
    raise exception 'the day of the photo is closed' using errcode = 'NX000', detail = 'checkin.too_late';
  end if;
  if v_existing.id is not null then perform private.replace_photo(v_existing.id, p_moment); end if;
  insert into nectar.workout_checkin_photos (
    checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng, flags, taken_offset
  ) values (
    v_recorded.checkin_ids[1], v_person, v_given.file_id, v_given.perceptual_hash, v_given.location_lat, v_given.location_lng,
    v_given.flags, v_given.taken_offset
  );
  perform private.keep_file('private', 'checkins/' || v_person || '/' || v_given.file_id || '.jpg');
  return query select v_recorded.checkin_ids[1], v_recorded.is_next_notified;
end $function$;

CREATE OR REPLACE FUNCTION private.record_check_ins(p_check_ins jsonb, p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS TABLE(checkin_ids uuid[], notified integer, is_next_notified boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_facts private.check_in_facts[];
  v_date date;
  v_battles jsonb := '{}';
  v_added uuid[];
  v_replaced uuid[];
begin
  perform private.lock_for_check_ins(p_check_ins);
  v_facts := private.facts_of_check_ins(p_check_ins, p_grace_minutes);
  for v_date in select distinct f.date from unnest(v_facts) f where f.status = 'verified' and not f.is_counted loop
    v_battles := v_battles || jsonb_build_object(v_date, private.join_battle(v_date));
  end loop;
  with written as (
    insert into nectar.workout_checkins as k (
      user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, is_early, has_streak, team_color,
      battle_week_start, verified_at
    )
    select f.user_id, f.chain_id, f.date, f.activity_type, f.photo_timestamp, f.status, f.chain_status, f.is_early,
      f.has_streak, f.team_color,
      case when f.status = 'verified' then (v_battles ->> f.date::text)::date else f.week end,
      case when f.status = 'verified' then f.checked_in_at end
    from unnest(v_facts) f where f.replaced_id is null
    on conflict (user_id, date) do nothing returning k.id
  )
  select array_agg(w.id) into v_added from written w;
  if exists (select from unnest(v_facts) f where f.replaced_id is not null) then
    -- A battle that ended with the chips of a rejected check-in keeps them, so what they follow from stays as well.
    with written as (
      update nectar.workout_checkins k
      set activity_type = f.activity_type, photo_timestamp = f.photo_timestamp, status = f.status,
        chain_status = case when k.is_counted then k.chain_status else f.chain_status end,
        is_early = case when k.is_counted then k.is_early else f.is_early end,
        has_streak = case when k.is_counted then k.has_streak else f.has_streak end,
        battle_week_start = case
          when k.is_counted then k.battle_week_start
          when f.status = 'verified' then (v_battles ->> f.date::text)::date
          else f.week
        end,
        verified_at = coalesce(k.verified_at, case when f.status = 'verified' then f.checked_in_at end),
        reviewed_at = null, reviewed_by = null, review_reason = null
      from unnest(v_facts) f where k.id = f.replaced_id returning k.id
    )
    select array_agg(w.id) into v_replaced from written w;
  end if;
  perform private.recount_check_ins(
    (select jsonb_agg(jsonb_build_object('user_id', f.user_id, 'date', f.date)) from unnest(v_facts) f),
    p_moment, p_grace_minutes
  );
  -- Others are notified of a check-in once, and were notified of the one that this replaces.
  return query
    select coalesce(v_added || v_replaced, v_added, v_replaced, '{}'), count(*)::integer, coalesce(bool_or(s.is_next), false)
    from private.notify_of_check_ins(v_added, p_moment, p_grace_minutes) s;
end $function$;

CREATE OR REPLACE FUNCTION private.record_decision(p_report_id uuid, p_reporters uuid[], p_decision nectar.moderation_decision, p_reason text, p_suspended_until timestamp with time zone, p_decided_by uuid, p_moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_decision nectar.moderation_decisions;
begin
  insert into nectar.moderation_decisions (
    owner_id, target_type, target_id, decision, reason, excerpt, decided_by, decided_at, suspended_until
  )
  select r.owner_id, r.target_type, r.target_id, p_decision, p_reason, r.excerpt, p_decided_by, p_moment, p_suspended_until
  from nectar.reports r where r.id = p_report_id returning * into v_decision;
  perform private.apply_decisions(v_decision);
  with decided as (
    update nectar.reports r
      set status = case p_decision when 'dismiss' then 'dismissed' else 'actioned' end,
        decision_id = v_decision.id, decided_at = p_moment
      where r.target_id = v_decision.target_id and r.target_type = v_decision.target_type and r.status = 'open'
        and r.reporter_id = any ((select p_reporters)::uuid[])
      returning r.id, r.reporter_id
  )
  insert into nectar.notifications (user_id, type, data)
  select d.reporter_id, 'moderation', jsonb_build_object('report_id', d.id) from decided d;
  if p_decision <> 'dismiss' then
    perform private.notify(
      v_decision.owner_id, 'moderation',
      jsonb_build_object(
        'decision_id', v_decision.id, 'target_type', v_decision.target_type, 'target_id', v_decision.target_id,
        'decision', p_decision
      )
    );
  end if;
  return v_decision.id;
end $function$;

CREATE OR REPLACE FUNCTION private.record_email_event(p_event jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_event record;
  v_message_id uuid;
  v_recipient_hash bytea;
begin
  select * into v_event
  from jsonb_to_record(p_event) e (
    id text, is_verified boolean, type text, happened_at timestamptz, delivery nectar.email_delivery, message_id uuid,
    provider_id text, address text, suppresses boolean
  );
  insert into private.email_events (id, is_verified, type) values (v_event.id, v_event.is_verified, v_event.type)
  on conflict do nothing;
  if not found then return false; end if;
  if v_event.delivery is null then return true; end if;
  select m.id, m.recipient_hash into v_message_id, v_recipient_hash from private.email_messages m
  where m.id = coalesce(
    v_event.message_id,
    (
      select p.id from private.email_messages p where p.provider_id = v_event.provider_id
      order by p.created_at desc, p.id limit 1
    )
  );
  update private.email_messages m
  set delivery = v_event.delivery, delivery_is_verified = v_event.is_verified, delivery_at = v_event.happened_at,
      updated_at = greatest(now(), m.created_at)
  where m.id = v_message_id
    and (m.delivery is null or (v_event.is_verified, v_event.delivery) > (m.delivery_is_verified, m.delivery));
  v_recipient_hash := coalesce(v_recipient_hash, private.email_address_hash(v_event.address));
  if v_event.is_verified and v_event.suppresses and v_recipient_hash is not null then
    insert into private.email_suppressions (address_hash, reason, event_id)
    values (v_recipient_hash, v_event.delivery::text, v_event.id)
    -- A recipient can undo an unsubscription, but not this.
    on conflict (address_hash) do update set reason = excluded.reason, event_id = excluded.event_id
      where email_suppressions.reason = 'unsubscribed';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_email_result(p_message uuid, p_provider text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    update private.email_messages m
    set state = case when p_provider is null then 'failed' else 'sent' end::nectar.email_state,
        provider_id = p_provider,
        request = case when p_provider is null then m.request end,
        updated_at = greatest(now(), m.created_at)
    where m.id = p_message and m.user_id = private.actor_id()
      and (m.state = 'pending' or (m.state = 'failed' and p_provider is not null))
  $function$;

CREATE OR REPLACE FUNCTION private.record_encouragement_drop(p_drop jsonb, p_moment timestamp with time zone, OUT drop_id uuid, OUT allowance private.drop_allowance)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_date constant date := (p_moment at time zone 'UTC')::date;
  v_given record;
begin
  perform private.check_moment(p_moment);
  -- One statement: starting another one takes longer than what it would read here.
  select d.recipient_id, d.template_id, d.entry_id, d.goal_id, coalesce(t.type, d.type, 'encouragement') as type, t.title,
    coalesce(t.content, d.content) as content, coalesce(t.media_type, d.media_type) as media_type,
    coalesce(t.media_url, d.media_url) as media_url, coalesce(t.thumbnail_url, d.thumbnail_url) as thumbnail_url,
    sender.full_name, rules.engagement_window_hours, (select p.is_ai from nectar.profiles p where p.id = d.recipient_id) as to_ai
  into v_given
  from jsonb_to_record(p_drop) d (
    recipient_id uuid, type nectar.encouragement_drop_type, template_id uuid, content text, media_type nectar.media_type,
    media_url text, thumbnail_url text, entry_id uuid, goal_id uuid
  )
  cross join nectar.encouragement_config rules
  left join nectar.drop_templates t on t.id = d.template_id and t.is_approved
  left join nectar.profiles sender on sender.id = v_actor;
  if v_given.template_id is not null and v_given.title is null then
    raise exception 'no such template' using errcode = 'NX000', detail = 'encouragement.template_not_found';
  end if;
  perform private.require_drop_recipient(v_given.recipient_id);
  allowance := private.use_allowance(v_actor, v_date, v_given.template_id is null);

  insert into nectar.encouragement_drops (
    sender_id, recipient_id, drop_type, template_id, title, content, media_type, media_url, thumbnail_url, entry_id,
    goal_id, is_custom, date_sent, created_at, engagement_until, engagement
  )
  values (
    v_actor, v_given.recipient_id, v_given.type, v_given.template_id, v_given.title, v_given.content,
    v_given.media_type, v_given.media_url, v_given.thumbnail_url, v_given.entry_id, v_given.goal_id, v_given.template_id is null,
    v_date, p_moment, p_moment + make_interval(hours => v_given.engagement_window_hours),
    case when v_given.to_ai then 'never'::nectar.engagement_state else 'open' end
  )
  returning id into drop_id;
  -- Not private.notify: the drop has locked the profile of the recipient.
  insert into nectar.notifications (user_id, type, data, caused_by)
  values (
    v_given.recipient_id, 'drop_received',
    jsonb_build_object(
      'drop_id', drop_id, 'sender_id', v_actor, 'drop_type', v_given.type, 'full_name', v_given.full_name
    ),
    v_actor
  );
  if v_given.template_id is not null then
    -- Last, because everyone who sends this template waits for this row.
    update nectar.drop_templates t set usage_count = t.usage_count + 1 where t.id = v_given.template_id;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.record_invitation(p_org_id uuid, p_invitation jsonb, p_moment timestamp with time zone, OUT invitation_id uuid, OUT message_id uuid, OUT reply_to text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_new record;
  v_invitee uuid;
  v_is_suppressed boolean := false;
begin
  perform private.check_moment(p_moment);
  if not (p_org_id in (select private.my_owned_organization_ids()) or private.is_super_admin()) then
    raise exception 'not the owner of the organization' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  select * into v_new
  from jsonb_to_record(p_invitation) n (
    token_hash text, email text, role nectar.member_role, team_ids uuid[], max_uses integer, expires_in_hours integer,
    mail_subject text
  );
  if v_new.email is not null then
    v_invitee := private.invitee(v_new.email);
    update nectar.invitations i set revoked_at = now()
    where lower(i.email) = lower(v_new.email) and i.org_id = p_org_id
      and private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending';
    v_is_suppressed := private.gets_no_mail(v_new.email, v_actor) or private.has_block(v_actor, v_invitee);
    reply_to := private.confirmed_address(v_actor);
    if v_new.mail_subject is not null and reply_to is not null then
      -- Suppressed mails are counted too, so that a block looks like any other address that gets no mail.
      select c.message_id into message_id from private.count_email(v_new.email, v_new.mail_subject, null, p_moment) c;
    end if;
    if v_is_suppressed then
      update private.email_messages m set state = 'suppressed' where m.id = message_id;
      message_id := null;
    end if;
  end if;
  insert into nectar.invitations as i
    (org_id, invited_by, token_hash, email, email_status, role, team_ids, max_uses, expires_at)
  values (
    p_org_id, v_actor, decode(v_new.token_hash, 'hex'), v_new.email,
    case when v_new.email is null then null when v_is_suppressed then 'suppressed' else 'not_sent' end
      ::nectar.invitation_email_status,
    v_new.role,
    array(select t.id from nectar.teams t where t.id = any (v_new.team_ids) and t.org_id = p_org_id order by t.id),
    v_new.max_uses, now() + v_new.expires_in_hours * interval '1 hour'
  )
  returning i.id into invitation_id;
  if v_invitee is not null then perform private.notify_invitee(v_invitee, invitation_id, p_org_id); end if;
end $function$;

CREATE OR REPLACE FUNCTION private.record_member_acted(p_groups uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update nectar.organization_members m set acted_at = now()
  where m.user_id = private.actor_id() and m.acted_at is null
    and m.org_id = any (p_groups || array(select t.org_id from nectar.teams t where t.id = any (p_groups)));
end $function$;

CREATE OR REPLACE FUNCTION private.record_organization_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  new.is_used := new.is_used or new.owner_id is not distinct from private.actor_id();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.record_owner_acted(p_org_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update nectar.organizations o set is_used = true
  where o.id = p_org_id and o.owner_id = private.actor_id() and not o.is_used;
end $function$;

CREATE OR REPLACE FUNCTION private.record_push_results(p_results jsonb, p_moment timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    with claimed as (
      select d.notification_id, d.subscription_id, r.result
      from jsonb_to_recordset(p_results) r (notification_id uuid, subscription_id uuid, attempt integer, result text)
      join private.push_deliveries d
        on d.notification_id = r.notification_id and d.subscription_id = r.subscription_id and d.attempts = r.attempt
      where d.finished_at is null
      -- A row that is locked is being deleted with its account or its device.
      for update of d skip locked
    )
    update private.push_deliveries d
    set attempts = d.attempts - (c.result = 'unused')::integer,
      outcome = case when c.result in ('sent', 'refused') then c.result end,
      finished_at = case when c.result in ('sent', 'refused') then p_moment end,
      next_attempt_at = case c.result
        when 'unused' then p_moment
        when 'unavailable' then p_moment + least(30 * power(2, d.attempts - 1), 3600) * interval '1 second'
        else d.next_attempt_at
      end
    from claimed c where d.notification_id = c.notification_id and d.subscription_id = c.subscription_id
  $function$;

CREATE OR REPLACE FUNCTION private.record_subscription_event(p_event jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_event record;
  v_owner_id uuid;
begin
  select * into v_event
  from jsonb_to_record(p_event) e (
    id text, type text, happened_at timestamptz, rank smallint, user_id uuid, customer_id text, subscription_id text,
    status text, invoice_created timestamptz
  );
  insert into private.payment_events (id, type, created) values (v_event.id, v_event.type, v_event.happened_at)
  on conflict (id) do nothing;
  if not found then return false; end if;
  if v_event.subscription_id is null or v_event.customer_id is null or v_event.status is null then return true; end if;
  v_owner_id := coalesce(
    v_event.user_id,
    (select s.user_id from nectar.subscriptions s where s.payment_subscription_id = v_event.subscription_id),
    (
      select s.user_id from nectar.subscriptions s where s.payment_customer_id = v_event.customer_id
      order by s.created_at, s.id limit 1
    )
  );
  if v_owner_id is null then return true; end if;
  -- An event about a deleted account is not refused: the processor would send it again for days.
  if not private.lock_profile(v_owner_id) then
    if not private.is_final_subscription_status(v_event.status) then
      perform private.cancel_for_erased_person(v_owner_id, v_event.subscription_id);
    end if;
    return true;
  end if;
  insert into nectar.subscriptions as s
    (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id)
  values (
    v_owner_id, v_event.customer_id, v_event.subscription_id, v_event.status, v_event.happened_at, v_event.rank,
    v_event.id
  )
  on conflict (payment_subscription_id) do update
    set payment_customer_id = excluded.payment_customer_id,
        status = excluded.status,
        event_created = excluded.event_created,
        event_rank = excluded.event_rank,
        event_id = excluded.event_id
    where case
      when v_event.invoice_created < s.invoice_created then false
      when excluded.event_rank < 0 then false
      when s.event_rank < 0 then true
      when private.is_final_subscription_status(excluded.status) = private.is_final_subscription_status(s.status)
        then (excluded.event_created, excluded.event_rank, excluded.event_id)
           > (s.event_created, s.event_rank, s.event_id)
      else private.is_final_subscription_status(excluded.status)
    end;
  -- Also if the event was too old to change the status.
  update nectar.subscriptions s set invoice_created = v_event.invoice_created
  where s.payment_subscription_id = v_event.subscription_id
    and v_event.invoice_created > coalesce(s.invoice_created, '-infinity');
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.record_use_by_team()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then perform private.record_member_acted(array[new.org_id]); end if;
  perform private.record_owner_acted(coalesce(new.org_id, old.org_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.recount_check_ins(p_days jsonb, p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS TABLE(user_id uuid, date date)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  v_affected uuid[];
  v_final_before uuid[];
  v_has_earlier boolean[];
begin
  select array_agg(a.id), array_agg(a.before_user_id), array_agg(a.has_earlier)
  into v_affected, v_final_before, v_has_earlier
  from private.check_ins_to_recount(p_days) a;
  if v_affected is null then return; end if;
  perform private.lock_recounted(v_affected);
  return query
    -- Materialized, because the planner would evaluate the functions once for each place where a fact is used.
    with facts as materialized (
      select k.id, k.chain_status as previous_chain_status,
        case when a.has_earlier then private.has_streak(k.user_id, k.date) else k.has_streak end as has_streak,
        case when c.id is null then k.chain_status else s.chain_status end as chain_status
      from unnest(v_affected, v_final_before, v_has_earlier) a (id, before_user_id, has_earlier)
      join nectar.workout_checkins k on k.id = a.id
      left join nectar.chains c on c.user_id = k.user_id and c.date = k.date and c.before_user_id = a.before_user_id
      cross join lateral private.chain_status(c.before_user_id, c.date, p_moment, p_grace_minutes) s (chain_status)
      -- A battle that has ended with the chips of a check-in keeps them, and its chain status.
      left join nectar.battles b on b.week_start_date = k.battle_week_start and b.battle_status = 'completed'
        and (k.status = 'verified' or k.is_counted)
      where b.week_start_date is null
    ), changed as (
      update nectar.workout_checkins k set chain_status = f.chain_status, has_streak = f.has_streak
      from facts f where k.id = f.id and (k.chain_status, k.has_streak) is distinct from (f.chain_status, f.has_streak)
      returning k.user_id, k.date, k.chain_status, f.previous_chain_status
    ), turned as (
      select h.user_id, h.date, h.chain_status from changed h
      -- Not joined, because the planner would read all profiles.
      where h.chain_status <> h.previous_chain_status
        and not (select p.is_ai from nectar.profiles p where p.id = h.user_id)
    ), removed_notices as (
      delete from private.game_notices g
      -- An array, because the planner would compare all notices with all check-ins that turned.
      where g.user_id = any (array(select t.user_id from turned t where t.chain_status = 'continued'))
        and g.kind = 'chain_broken'
        and (g.user_id, g.date) in (select t.user_id, t.date from turned t where t.chain_status = 'continued')
    ), restored as (
      insert into nectar.notifications (user_id, type, data, caused_by)
      select t.user_id, 'chain_restored', jsonb_build_object('date', t.date),
        (select c.before_user_id from nectar.chains c where c.user_id = t.user_id and c.date = t.date)
      from turned t where t.chain_status = 'continued'
    )
    select b.user_id, b.date
    from private.notify_broken_chains((
      select jsonb_agg(jsonb_build_object('user_id', t.user_id, 'date', t.date)) from turned t
      where t.chain_status = 'broken'
    )) b;
end $function$;

CREATE OR REPLACE FUNCTION private.recount_messages(p_block nectar.blocks)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- Locked in the order in which messages lock them, before anything is counted, so that no message is left out.
  v_counting constant uuid[] := array(
    select n.id from nectar.notifications n
    where n.user_id in (p_block.user_id, p_block.blocked_id) and n.read_at is null and n.type in ('team_message', 'comment')
      and exists (
        select from nectar.team_messages m
        where m.room_id = n.room_id and m.created_at >= n.created_at
          and m.sender_id in (p_block.user_id, p_block.blocked_id) and m.sender_id <> n.user_id
      )
    order by n.user_id for update
  );
begin
  update nectar.notifications n set data = n.data || jsonb_build_object('count', c.count)
  from (
    select n.id, count(m.id) as count from nectar.notifications n
    left join nectar.team_messages m on m.room_id = n.room_id and m.created_at >= n.created_at
      and m.sender_id <> n.user_id and m.hidden_at is null and not private.has_block(n.user_id, m.sender_id)
    where n.id = any ((select v_counting)::uuid[]) group by n.id
  ) c
  where n.id = c.id;
  delete from nectar.notifications n where n.id = any ((select v_counting)::uuid[]) and n.data ->> 'count' = '0';
end $function$;

CREATE OR REPLACE FUNCTION private.recount_streak()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.recount_streaks(array[new.id]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.recount_streaks(p_goal_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Locked before anything is counted, so that no check-in of another transaction is left out.
  perform from nectar.goals g where g.id = any ((select p_goal_ids)::uuid[]) order by g.id for no key update;
  update nectar.goals g
    set streak = s.streak, longest_streak = s.longest_streak, streak_ends_on = s.ends_on
    from unnest(p_goal_ids) c (id) cross join lateral private.count_streak(c.id) s
    where g.id = c.id;
end $function$;

CREATE OR REPLACE FUNCTION private.recount_streaks_of_check_ins()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.recount_streaks(array(select distinct c.goal_id from changed c));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.refund_purchase(p_transaction_id uuid, p_description text)
 RETURNS nectar.drop_transactions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_purchase nectar.drop_transactions;
  v_refund nectar.drop_transactions;
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin refunds' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  select * into v_purchase from nectar.drop_transactions t where t.id = p_transaction_id;
  -- Also if the account is deleted meanwhile.
  if not private.lock_profile(v_purchase.user_id) then
    raise exception 'no such transaction' using errcode = 'NX000', detail = 'drops.transaction_not_found';
  end if;
  if v_purchase.type <> 'purchase' then
    raise exception 'not a purchase' using errcode = 'NX000', detail = 'drops.not_refundable';
  end if;
  v_refund := private.post_drop_transaction(
    v_purchase.user_id, 'refund', -v_purchase.amount, 'refund:' || v_purchase.id, p_description, v_purchase.item_id, v_purchase.item_type
  );
  if v_refund.id is null then
    raise exception 'already refunded' using errcode = 'NX000', detail = 'drops.already_refunded';
  end if;
  perform private.end_tone_pack_purchase(v_purchase.id);
  return v_refund;
end $function$;

CREATE OR REPLACE FUNCTION private.release_assistant_turn(p_user_id uuid, p_job nectar.assistant_job, p_claim uuid, p_moment timestamp with time zone, p_has_failed boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    update private.assistant_turns t
    -- With a pause, so that an outage of an hour does not use all attempts of a day.
    set claim = null,
      claimed_until = case
        when p_has_failed then p_moment + case t.attempts when 1 then interval '20 minutes' when 2 then interval '2 hours' end
      end
    where t.user_id = p_user_id and t.job = p_job and t.claim = p_claim
  $function$;

CREATE OR REPLACE FUNCTION private.release_pushes_of_settings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.release_waiting_pushes(new.user_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.release_waiting_pushes(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.push_deliveries d set next_attempt_at = d.created_at
  from nectar.push_subscriptions s
  where s.user_id = p_user_id and d.subscription_id = s.id and d.finished_at is null
    and d.next_attempt_at = d.waited_until;
end $function$;

CREATE OR REPLACE FUNCTION private.remind_players(p_moment timestamp with time zone, p_max integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    with due as (
      select c.user_id, c.date, c.window_starts_at from nectar.chains c
      join nectar.profiles p on p.id = c.user_id and not p.is_ai
      where c.window_starts_at > p_moment and c.window_starts_at <= p_moment + interval '30 minutes'
        and not exists (
          select from private.game_notices g
          where g.user_id = c.user_id and g.date = c.date and g.kind = 'checkin_reminder'
            and g.window_starts_at = c.window_starts_at
          -- Makes this a search for each player; a join may compare all players with all notices.
          offset 0
        )
        and not exists (select from nectar.workout_checkins k where k.user_id = c.user_id and k.date = c.date)
        -- A person who has just left may still have a row.
        and not exists (select from nectar.workout_windows w where w.user_id = c.user_id and private.is_off(w.away, w.rest_days, c.date))
      limit p_max
      -- An account that is being deleted is skipped.
      for key share of p skip locked
    ), noticed as (
      -- A window may be moved to later that day after its player was reminded of the earlier one.
      insert into private.game_notices as g (user_id, date, kind, window_starts_at)
      select d.user_id, d.date, 'checkin_reminder', d.window_starts_at from due d
      on conflict (user_id, date, kind) do update set window_starts_at = excluded.window_starts_at
        where g.window_starts_at is distinct from excluded.window_starts_at
      returning user_id, date
    ), messages as (
      insert into nectar.notifications (user_id, type, data)
      select n.user_id, 'checkin_reminder',
        jsonb_build_object('date', n.date, 'window_start_time', to_char(c.window_start_time, 'HH24:MI'))
      from noticed n
      join nectar.chains c on c.user_id = n.user_id and c.date = n.date
      returning 1
    )
    select count(*)::integer from messages
  $function$;

CREATE OR REPLACE FUNCTION private.remind_to_write(p_moment timestamp with time zone, p_max integer)
 RETURNS TABLE(seen integer, reminded integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_due uuid[];
begin
  select array_agg(t.user_id) into v_due
  from (
    select s.user_id from nectar.notification_settings s
    join nectar.profiles p on p.id = s.user_id
    where s.reminder_due_at <= p_moment order by s.reminder_due_at limit p_max
    -- An account that is being deleted, and settings that are being changed, are skipped.
    for key share of p skip locked for no key update of s skip locked
  ) t;
  return query
  -- A statement of its own: a zone that changed before the rows were locked counts, and a later change waits for them.
  with due as (
    select s.user_id, s.reminder_time, s.reminder_weekdays, s.reminder_only_if_not_written, s.reminded_on,
      private.known_zone(a.timezone) as zone, a.erases_at is not null as is_closing
    from nectar.notification_settings s
    join nectar.accounts a on a.user_id = s.user_id
    where s.user_id = any (v_due)
  ), dated as (select d.*, (p_moment at time zone d.zone)::date as today from due d), judged as (
    -- Not by the time that the row was due at: it may be due since yesterday, if no run came since.
    select d.*, d.today > coalesce(d.reminded_on, '-infinity')
      and private.next_reminder(d.zone, d.reminder_time, d.reminder_weekdays, d.today) <= p_moment as is_due
    from dated d
  ), reminding as (
    select j.user_id, j.today from judged j
    where j.is_due and not j.is_closing and not (
      j.reminder_only_if_not_written and exists (
        select from nectar.journal_entries e
        where e.user_id = j.user_id and e.created_at >= private.first_instant(j.today::timestamp, j.zone)
      )
    )
  ), planned as (
    update nectar.notification_settings s
    set reminded_on = coalesce(r.today, s.reminded_on),
      reminder_due_at = private.next_reminder(
        j.zone, j.reminder_time, j.reminder_weekdays, greatest(j.today + j.is_due::integer, j.reminded_on + 1)
      )
    from judged j
    left join reminding r on r.user_id = j.user_id
    -- The array makes the planner search the rows; it expects more people and would read them all.
    where s.user_id = j.user_id and s.user_id = any (v_due)
  ), messages as (
    insert into nectar.notifications (user_id, type, data)
    select r.user_id, 'journal_reminder', jsonb_build_object('date', r.today) from reminding r
  )
  select (select count(*)::integer from due), (select count(*)::integer from reminding);
end $function$;

CREATE OR REPLACE FUNCTION private.remove_dead_device(p_subscription_id uuid, p_p256dh text, p_auth text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    with removed as (
      delete from nectar.push_subscriptions s where s.id = p_subscription_id and s.p256dh = p_p256dh and s.auth = p_auth
      returning 1
    )
    select exists (select from removed)
  $function$;

CREATE OR REPLACE FUNCTION private.replace_photo(p_checkin_id uuid, p_moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_photo_key text;
begin
  delete from nectar.workout_checkin_photos p where p.checkin_id = p_checkin_id returning p.photo_key into v_photo_key;
  -- After the trigger of the deletion, because the one of this row keeps the file.
  update nectar.moderation_decisions d set photo_key = v_photo_key
  where d.target_id = p_checkin_id and d.target_type = 'checkin' and d.decision = 'reject' and d.photo_key is null
    and d.owner_id = private.actor_id() and private.appeal_until(d.decided_at) >= p_moment
    and d.decided_at = (
      select max(l.decided_at) from nectar.moderation_decisions l
      where l.owner_id = d.owner_id and l.target_id = d.target_id and l.target_type = 'checkin' and l.decision = 'reject'
    )
    and not exists (select from nectar.moderation_appeals a where a.decision_id = d.id and a.status <> 'open');
end $function$;

CREATE OR REPLACE FUNCTION private.reportable_thing(p_target_type text, p_target_id uuid, p_moment timestamp with time zone, OUT owner_id uuid, OUT is_visible boolean, OUT excerpt text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_sees_all constant boolean := private.is_super_admin();
begin
  case p_target_type
    when 'entry' then
      select e.user_id,
        v_sees_all or e.metadata_audience_id = any (private.audiences_despite_own_blocks(e.user_id))
          and not private.is_withdrawn(
            e.user_id, e.notebook_id, e.inherit_visibility and 'user' in (e.metadata_visibility, e.content_visibility),
            e.metadata_audience_id, private.withdrawn_shares()
          ),
        concat_ws(E'\n', e.title, c.content)
      into owner_id, is_visible, excerpt
      from nectar.journal_entries e
      left join nectar.journal_entry_contents c on c.entry_id = e.id and (
        v_sees_all or c.content_audience_id = any (private.my_audiences() || private.public_audience())
          and private.member_share(c.user_id, c.content_audience_id) <> all (private.withdrawn_shares())
      )
      where e.id = p_target_id;
    when 'notebook' then
      select n.user_id, v_sees_all or n.metadata_audience_id = any (private.audiences_despite_own_blocks(n.user_id)),
        concat_ws(E'\n', n.name, n.description)
      into owner_id, is_visible, excerpt
      from nectar.notebooks n where n.id = p_target_id;
    when 'goal' then
      select g.user_id, v_sees_all or g.metadata_audience_id = any (private.audiences_despite_own_blocks(g.user_id)),
        concat_ws(E'\n', g.title, c.description)
      into owner_id, is_visible, excerpt
      from nectar.goals g
      left join nectar.goal_contents c on c.goal_id = g.id
        and (v_sees_all or c.content_audience_id = any (private.my_audiences() || private.public_audience()))
      where g.id = p_target_id;
    when 'tone_pack' then
      select p.owner_id,
        p.hidden_at is null
          and ((p.is_public and not private.is_blocked_by(p.owner_id)) or p.id in (select private.my_tone_pack_ids())),
        concat_ws(E'\n', p.name, p.description)
      into owner_id, is_visible, excerpt
      from nectar.tone_packs p where p.id = p_target_id;
    when 'drop' then
      select d.sender_id, d.recipient_id = v_actor and d.hidden_at is null,
        concat_ws(E'\n', d.title, d.content, d.media_url)
      into owner_id, is_visible, excerpt
      from nectar.encouragement_drops d where d.id = p_target_id;
    when 'checkin' then
      -- Who sees its details sees the photo, unless there is a block.
      select k.user_id, exists (select from private.check_in_details(array[k.id])) and not private.is_blocked_by(k.user_id), null
      into owner_id, is_visible, excerpt
      from nectar.workout_checkins k where k.id = p_target_id;
    when 'message' then
      select m.sender_id,
        v_sees_all or (
            m.team_id = any (private.my_audiences()) or private.is_in_squad(m.squad_id)
            or (private.axes_seen_by(v_actor, t, private.is_blocked_by(t.user_id))).content
          )
          and m.hidden_at is null and not private.is_blocked_by(m.sender_id),
        m.content
      into owner_id, is_visible, excerpt
      from nectar.team_messages m
      cross join private.thing(m.entry_id, m.goal_id) t
      where m.id = p_target_id;
    when 'user' then
      select p.id, not private.is_blocked_by(p.id) and private.can_see_person(p.id, p_moment), p.full_name
      into owner_id, is_visible, excerpt
      from nectar.profiles p where p.id = p_target_id;
  end case;
  excerpt := nullif(left(excerpt, 500), '');
end $function$;

CREATE OR REPLACE FUNCTION private.request_erasure(p_is_now boolean, p_moment timestamp with time zone)
 RETURNS private.erasure_times
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_delay constant interval := interval '7 days';
  v_actor constant uuid := private.actor_id();
  v_requested_at timestamptz;
  v_erases_at timestamptz;
begin
  perform private.check_moment(p_moment);
  -- Waits for the transactions in which the person is writing, as private.suspend_user does.
  perform from nectar.profiles p where p.id = v_actor for update;
  if private.is_super_admin() then
    -- As in private.change_user_role: the second of two at the same time sees the result of the first.
    perform from nectar.user_roles r where r.role = 'super_admin' for update;
    if not private.is_other_super_admin_left(v_actor) then
      raise exception 'the last super admin' using errcode = 'NX000', detail = 'admin.last_super_admin';
    end if;
  end if;
  update nectar.accounts a
  set erasure_requested_at = coalesce(a.erasure_requested_at, p_moment),
      erases_at = least(a.erases_at, case when p_is_now then p_moment else p_moment + v_delay end)
  where a.user_id = v_actor returning a.erasure_requested_at, a.erases_at into v_requested_at, v_erases_at;
  perform private.match_again(v_actor);
  return row(private.rfc3339(v_requested_at), private.rfc3339(v_erases_at))::private.erasure_times;
end $function$;

CREATE OR REPLACE FUNCTION private.require_commentable(p_entry_id uuid, p_goal_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_locked constant record := private.lock_commented(p_entry_id, p_goal_id);
begin
  if not private.can_see_content(p_entry_id, p_goal_id) then
    if private.can_see_entry(p_entry_id) or private.can_see_goal(p_goal_id) then
      raise exception 'the content is hidden' using errcode = 'NX000', detail = 'comment.hidden';
    elsif p_goal_id is null then
      raise exception 'no such entry' using errcode = 'NX000', detail = 'journal.not_found';
    end if;
    raise exception 'no such goal' using errcode = 'NX000', detail = 'goal.not_found';
  elsif not v_locked.may_comment then
    raise exception 'not shared with the caller' using errcode = 'NX000', detail = 'comment.not_allowed';
  elsif not v_locked.is_open then
    raise exception 'comments are turned off' using errcode = 'NX000', detail = 'comment.closed';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.require_drop_recipient(p_recipient_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  perform private.lock_pair(v_actor, p_recipient_id, true);
  if private.has_block(v_actor, p_recipient_id) or not private.has_profile(p_recipient_id) then
    raise exception 'no such recipient' using errcode = 'NX000', detail = 'user.not_found';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.require_open_goal(p_goal_id uuid, p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_status nectar.goal_status;
begin
  -- The lock waits for a transaction that is ending the goal, and keeps the goal open until the check-in is written. It is
  -- the one that counting the streak needs.
  select g.status into v_status from nectar.goals g where g.id = p_goal_id and g.user_id = p_user_id for no key update;
  if v_status in ('completed', 'abandoned') then
    raise exception 'the goal has ended' using errcode = 'NX000', detail = 'goal.not_open';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.require_picture_room(p_entry_id uuid, p_bytes integer, p_max_bytes bigint)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_count integer;
begin
  select c.picture_count into v_count from nectar.journal_entry_contents c
  where c.entry_id = p_entry_id and c.user_id = v_actor for no key update;
  if v_count >= 20 then raise exception 'too many pictures' using errcode = 'NX000', detail = 'picture.too_many'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('pictures of ' || v_actor::text, 0));
  if (select coalesce(sum(p.size_bytes), 0) from nectar.entry_pictures p where p.user_id = v_actor) + p_bytes > p_max_bytes then
    raise exception 'no room for pictures' using errcode = 'NX000', detail = 'picture.storage_full';
  end if;
  return v_count;
end $function$;

CREATE OR REPLACE FUNCTION private.require_reachable(p_person uuid, p_group uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  perform private.lock_profile(p_person);
  perform private.lock_pair(v_actor, p_person, true);
  if private.is_human(p_person) is not true
    or (private.has_block(v_actor, p_person) and not private.are_both_in(v_actor, p_person, p_group))
  then
    raise exception 'no such person' using errcode = 'NX000', detail = 'user.not_found';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.resolve_entry(p_entry nectar.journal_entries, p_notebook nectar.notebooks, p_groups uuid[], p_deleted uuid[])
 RETURNS nectar.journal_entries
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  v_ended constant nectar.visibility[] := array_remove(
    array[
      case when p_entry.team_id = any (p_deleted) then 'team' end, case when p_entry.org_id = any (p_deleted) then 'org' end
    ]::nectar.visibility[],
    null
  );
  v_share record;
begin
  if v_ended <> '{}' then
    -- An entry that is no longer shared must not inherit something wider from its notebook, so it stops inheriting; its
    -- other visibility can only get narrower by that.
    p_entry.inherit_visibility := p_entry.inherit_visibility
      and not array[p_entry.metadata_visibility, p_entry.content_visibility] && v_ended;
    p_entry.metadata_visibility :=
      case when p_entry.metadata_visibility = any (v_ended) then 'user' else p_entry.metadata_visibility end;
    p_entry.content_visibility :=
      case when p_entry.content_visibility = any (v_ended) then 'user' else p_entry.content_visibility end;
    p_entry.team_id := case when 'team' <> all (v_ended) then p_entry.team_id end;
    p_entry.org_id := case when 'org' <> all (v_ended) then p_entry.org_id end;
  end if;
  p_entry.notebook_id := p_notebook.id;
  -- Assignments, because a query of its own for each takes longer than the function.
  v_share := private.entry_share(p_entry.metadata_visibility, p_notebook.metadata_visibility, p_entry, p_notebook, p_groups);
  p_entry.effective_metadata_visibility := v_share.visibility;
  p_entry.metadata_audience_id := v_share.audience_id;
  v_share := private.entry_share(p_entry.content_visibility, p_notebook.content_visibility, p_entry, p_notebook, p_groups);
  p_entry.effective_content_visibility := v_share.visibility;
  p_entry.content_audience_id := v_share.audience_id;
  return p_entry;
end $function$;

CREATE OR REPLACE FUNCTION private.restore_account()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
begin
  update nectar.accounts a set erasure_requested_at = null, erases_at = null
  where a.user_id = v_actor and a.erasing_since is null;
  if not found then raise exception 'being erased' using errcode = 'NX000', detail = 'account.being_erased'; end if;
  perform private.match_again(v_actor);
end $function$;

CREATE OR REPLACE FUNCTION private.restore_entry(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_trashed nectar.trashed_entries;
  v_notebook_id uuid;
  v_org_id uuid;
  v_team_id uuid;
  v_ended nectar.visibility[];
begin
  perform private.lock_profiles(array(
    select unnest(array[d.sender_id, d.recipient_id]) from nectar.encouragement_drops d
    where d.id = any (array(select unnest(t.drop_ids) from nectar.trashed_entries t where t.id = p_id))
    union all
    select m.sender_id from nectar.team_messages m where m.room_id = p_id
  ));
  select * into v_trashed from nectar.trashed_entries t where t.id = p_id and t.user_id = private.actor_id() for update;
  if not found then return false; end if;
  -- What is gone by now, or being deleted, has the effect on the entry that it has on entries in the journal
  -- (private.resolve_entry).
  select n.id into v_notebook_id from nectar.notebooks n where n.id = v_trashed.notebook_id for key share;
  select o.id into v_org_id from nectar.organizations o where o.id = v_trashed.org_id for key share;
  select t.id into v_team_id from nectar.teams t where t.id = v_trashed.team_id for key share;
  v_ended := array_remove(
    array[case when v_team_id is null then 'team' end, case when v_org_id is null then 'org' end]::nectar.visibility[], null
  );
  insert into nectar.journal_entries (
    id, user_id, notebook_id, title, mood, tags, entry_date, ai_excluded, is_imported, comments_enabled,
    metadata_visibility, content_visibility, inherit_visibility, team_id, org_id, hidden_at, created_at, updated_at
  )
  values (
    v_trashed.id, v_trashed.user_id, v_notebook_id, v_trashed.title, v_trashed.mood, v_trashed.tags,
    v_trashed.entry_date, v_trashed.ai_excluded, v_trashed.is_imported, v_trashed.comments_enabled,
    case when v_trashed.metadata_visibility = any (v_ended) then 'user' else v_trashed.metadata_visibility end,
    case when v_trashed.content_visibility = any (v_ended) then 'user' else v_trashed.content_visibility end,
    v_trashed.inherit_visibility
      and not array[v_trashed.metadata_visibility, v_trashed.content_visibility] && v_ended,
    v_team_id, v_org_id, private.hidden_since(v_trashed.user_id, 'entry', v_trashed.id), v_trashed.created_at,
    v_trashed.updated_at
  );
  insert into nectar.journal_entry_contents (entry_id, content, found_mood, comment_count)
  select v_trashed.id, v_trashed.content, v_trashed.found_mood,
    -- Locked, because a comment that is deleted meanwhile could not be counted any more.
    (select count(*) from (select from nectar.team_messages m where m.room_id = v_trashed.id for key share) c)
  where v_trashed.content is not null;
  update nectar.entry_pictures p set entry_id = v_trashed.id, trashed_entry_id = null where p.trashed_entry_id = v_trashed.id;
  -- Before the background is written, because this discards its file.
  delete from nectar.trashed_entries t where t.id = p_id;
  insert into nectar.entry_backgrounds (id, user_id, entry_id, quality, created_at)
  select v_trashed.background_id, v_trashed.user_id, v_trashed.id, v_trashed.background_quality,
    v_trashed.background_created_at
  where v_trashed.background_id is not null;
  update nectar.encouragement_drops d set entry_id = v_trashed.id where d.id = any ((select v_trashed.drop_ids)::uuid[]);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.review_check_in(p_checkin_id uuid, p_status nectar.checkin_status, p_reason text, p_admin_id uuid, p_moment timestamp with time zone, p_grace_minutes integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_current nectar.workout_checkins;
  v_week date;
  v_is_over boolean := false;
begin
  select * into v_current from nectar.workout_checkins k where k.id = p_checkin_id;
  v_week := v_current.battle_week_start;
  -- The row itself is locked after its battle, the order in which check-ins lock. The shared lock keeps the battle from
  -- ending before this transaction does.
  if v_current.status = 'verified' then
    perform private.share_battle(v_week);
    select b.battle_status = 'completed' into v_is_over from nectar.battles b where b.week_start_date = v_week;
  end if;
  if p_status = 'verified' and not v_current.is_counted then v_week := private.join_battle(v_week); end if;
  update nectar.workout_checkins k
  set status = p_status, battle_week_start = v_week,
    -- Chips that a battle ended with stay in it and never count for another battle.
    is_counted = k.is_counted or coalesce(v_is_over, false),
    verified_at = coalesce(k.verified_at, case when p_status = 'verified' then p_moment end),
    reviewed_at = p_moment, reviewed_by = p_admin_id, review_reason = p_reason
  where k.id = p_checkin_id;
  if p_status = 'rejected' then
    insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_by, decided_at)
    values (v_current.user_id, 'checkin', p_checkin_id, 'reject', p_reason, p_admin_id, p_moment);
  end if;
  perform private.recount_check_ins(
    jsonb_build_array(jsonb_build_object('user_id', v_current.user_id, 'date', v_current.date)), p_moment, p_grace_minutes
  );
end $function$;

CREATE OR REPLACE FUNCTION private.rewrite_member_names(p_profile nectar.profiles)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from nectar.member_names n where n.user_id = p_profile.id;
  if p_profile.full_name is null or p_profile.is_ai then return; end if;
  -- Locked, because a membership may be ending.
  with memberships as (select m.org_id from nectar.organization_members m where m.user_id = p_profile.id for key share)
  insert into nectar.member_names (org_id, user_id, word_number, full_name, search_text)
  select m.org_id, p_profile.id, w.word_number, p_profile.full_name, w.search_text from memberships m
  cross join private.name_words(p_profile.full_name) w;
end $function$;

CREATE OR REPLACE FUNCTION private.rfc3339(p_moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((p_moment AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);

CREATE OR REPLACE FUNCTION private.same_day_of_earlier_years(p_date date)
 RETURNS date[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_is_last_of_february constant boolean := to_char(p_date, 'MM-DD') = '02-28' and to_char(p_date + 1, 'MM-DD') = '03-01';
begin
  -- A leap day becomes a 28 February where it does not exist.
  return array(
    select d.day from generate_series(1900, extract(year from p_date)::integer - 1) y (year)
    cross join lateral (
      select (p_date - make_interval(years => extract(year from p_date)::integer - y.year))::date as day
    ) same
    cross join lateral unnest(array[same.day, same.day + 1]) d (day)
    where extract(day from d.day) = extract(day from p_date) or (v_is_last_of_february and to_char(d.day, 'MM-DD') = '02-29')
  );
end $function$;

CREATE OR REPLACE FUNCTION private.search_form(p_name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  -- Combining marks, after NFKD has separated them from their letters.
  v_marks constant text := U&'[\0300-\036F\1AB0-\1AFF\1DC0-\1DFF\20D0-\20FF\FE20-\FE2F]';
  -- ASCII without letters and digits, spaces and punctuation.
  v_separators constant text := U&'[\0001-/:-@\005B-`\007B-\00BF\2000-\206F\3000-\303F]+';
  v_name text := regexp_replace(normalize(p_name, NFKD), v_marks, '', 'g');
begin
  -- Letters that NFKD does not take apart. Upper case is listed as well, because lower() leaves it in some collations.
  v_name := translate(v_name, U&'\00D8\00F8\0141\0142\0110\0111\00D0\00F0\0126\0127\0131\03C2', U&'oollddddhhi\03C3');
  v_name := replace(replace(replace(v_name, U&'\00DF', 'ss'), U&'\1E9E', 'ss'), U&'\00FE', 'th');
  v_name := replace(replace(replace(v_name, U&'\00DE', 'th'), U&'\00E6', 'ae'), U&'\00C6', 'ae');
  v_name := replace(replace(v_name, U&'\0153', 'oe'), U&'\0152', 'oe');
  return btrim(regexp_replace(lower(v_name), v_separators, ' ', 'g'));
end $function$;

CREATE OR REPLACE FUNCTION private.search_key(p_audience_id uuid, p_term text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((hashtext(p_term))::bigint << 40) | (uuid_hash_extended(p_audience_id, (0)::bigint) & (((1)::bigint << 40) - 1)));

CREATE OR REPLACE FUNCTION private.search_keys(p_audience_id uuid, p_terms text[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 10000
 SET search_path TO ''
AS $function$
begin
  return array(select private.search_key(p_audience_id, t) from unnest(p_terms) t where t is not null);
end $function$;

CREATE OR REPLACE FUNCTION private.search_terms(p_trigrams text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return array(select t from unnest(p_trigrams) t where strpos(t, ' ') = 0);
end $function$;

CREATE OR REPLACE FUNCTION private.content_keys(p_audience_id uuid, p_content text, p_found_mood text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN private.search_keys(p_audience_id, (private.search_terms(extensions.show_trgm(p_content)) || private.mood_term(p_found_mood)));

CREATE OR REPLACE FUNCTION private.seen_check_ins(p_checkin_ids uuid[])
 RETURNS SETOF private.seen_check_in
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    select k.id, k.user_id, k.chain_id, k.date, k.activity_type,
      (select c.custom_activity from nectar.chains c where c.id = k.chain_id and k.activity_type = 'other'),
      private.rfc3339(k.photo_timestamp), k.status, k.battle_chips_earned,
      jsonb_populate_record(null::private.chip_parts, k.chip_breakdown), k.chain_status, k.team_color,
      k.battle_week_start, private.rfc3339(k.created_at), d.photo_key, d.location_lat, d.location_lng,
      d.flags::nectar.photo_flag[], case when d.flags is not null then private.rfc3339(k.reviewed_at) end,
      d.review_reason
    from nectar.workout_checkins k
    left join private.check_in_details(p_checkin_ids) d on d.checkin_id = k.id
    where k.id = any ((select p_checkin_ids)::uuid[])
    order by k.created_at desc, k.id desc;
end $function$;

CREATE OR REPLACE FUNCTION private.sees_thing(p_entry_id uuid, p_goal_id uuid, p_person_id uuid)
 RETURNS private.seen_axes
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_entry nectar.journal_entries := private.own_thing(p_entry_id, p_goal_id);
begin
  if v_entry.id is null then return null; end if;
  if not private.shares_organization(p_person_id) then
    raise exception 'no shared organization' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  return private.axes_seen_by(
    p_person_id, private.settled_entry(v_entry), private.has_block(v_entry.user_id, p_person_id)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.sees_tone_pack(p_pack_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (select from nectar.tone_packs p where p.id = p_pack_id);
end $function$;

CREATE OR REPLACE FUNCTION private.sees_unshared()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_super_admin() or current_setting('role') = 'authenticated' then return false; end if;
  if current_setting('transaction_read_only')::boolean then
    raise exception 'what a super admin reads is logged' using errcode = 'read_only_sql_transaction';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.send_assistant_drop(p_user_id uuid, p_moment timestamp with time zone, p_content text, p_assistant_name text, p_analysis_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_drop_id uuid;
begin
  perform private.lock_profile(p_user_id);
  perform from nectar.accounts a
    where a.user_id = p_user_id and private.lets_assistant_serve(a, 'daily_drop') for share;
  if not found then return null; end if;
  -- Locked, so that nothing is sent of an analysis that is deleted before this transaction ends.
  perform from nectar.note_analyses n where n.id = p_analysis_id for share;
  if p_analysis_id is not null and not found then return null; end if;
  insert into nectar.encouragement_drops as d (
    sender_id, recipient_id, drop_type, content, is_custom, date_sent, created_at, engagement_until, engagement
  )
  select private.system_user_id(), p_user_id, 'encouragement', p_content, false, (p_moment at time zone 'UTC')::date, p_moment,
    p_moment + make_interval(hours => c.engagement_window_hours), 'never'
  from nectar.encouragement_config c
  on conflict (recipient_id, date_sent) where sender_id = private.system_user_id() do nothing
  returning d.id into v_drop_id;
  if v_drop_id is not null then
    perform private.notify(
      p_user_id, 'assistant_drop', jsonb_build_object('drop_id', v_drop_id, 'assistant_name', p_assistant_name)
    );
  end if;
  update private.assistant_turns
    set claim = null, claimed_until = null, finished_at = p_moment where user_id = p_user_id and job = 'daily_drop';
  return v_drop_id;
end $function$;

CREATE OR REPLACE FUNCTION private.send_encouragement_drop(p_drop jsonb, p_moment timestamp with time zone)
 RETURNS private.sent_drop
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_recorded constant record := private.record_encouragement_drop(p_drop, p_moment);
begin
  return (
    select row(
      d.drop, v_recorded.allowance,
      (select private.present_badge(b) from nectar.user_badges b where b.user_id = private.actor_id())
    )::private.sent_drop
    from nectar.drop_objects d where d.id = v_recorded.drop_id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.send_message(p_team_id uuid, p_squad_id uuid, p_entry_id uuid, p_goal_id uuid, p_content text)
 RETURNS private.sent_message
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_id uuid;
  v_created_at timestamptz;
begin
  insert into nectar.team_messages (team_id, squad_id, entry_id, goal_id, content)
  values (p_team_id, p_squad_id, p_entry_id, p_goal_id, p_content)
  returning id, created_at into v_id, v_created_at;
  return (
    select row(
      v_id, p_team_id, p_squad_id, p_entry_id, p_goal_id, row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card, p_content,
      private.rfc3339(v_created_at)
    )::private.sent_message
    from nectar.profiles p where p.id = private.actor_id()
  );
end $function$;

CREATE OR REPLACE FUNCTION private.set_audiences()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_groups constant uuid[] := private.lock_memberships(new.user_id, array[new.org_id], array[new.team_id]);
begin
  new.metadata_audience_id := private.audience_of(
    private.effective_visibility(
      private.unless_hidden(new.metadata_visibility, new.hidden_at), new.team_id, new.org_id, v_groups
    ),
    new.user_id, new.team_id, new.org_id
  );
  new.content_audience_id := private.audience_of(
    private.effective_visibility(
      private.unless_hidden(new.content_visibility, new.hidden_at), new.team_id, new.org_id, v_groups
    ),
    new.user_id, new.team_id, new.org_id
  );
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.set_entry_audiences()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_notebook nectar.notebooks;
  v_groups uuid[];
  v_deleted uuid[] := '{}';
begin
  if new.notebook_id is not null then
    -- Locked, so that the visibility is not read while the notebook is being changed.
    select * into v_notebook from nectar.notebooks n where n.id = new.notebook_id and n.user_id = new.user_id for share;
    if v_notebook.id is null and (tg_op = 'INSERT' or new.notebook_id is distinct from old.notebook_id) then
      raise exception 'no such notebook' using errcode = 'NX000', detail = 'notebook.not_found';
    end if;
  end if;
  v_groups := private.lock_memberships(
    new.user_id, array[v_notebook.org_id, new.org_id], array[v_notebook.team_id, new.team_id]
  );
  if num_nonnulls(new.team_id, new.org_id) > 0 then
    v_deleted := private.deleted_groups(new.team_id, new.org_id);
    if new.team_id = any (v_deleted) and (tg_op = 'INSERT' or new.team_id is distinct from old.team_id) then
      raise exception 'no such team' using errcode = 'NX000', detail = 'team.not_found';
    end if;
    if new.org_id = any (v_deleted) and (tg_op = 'INSERT' or new.org_id is distinct from old.org_id) then
      raise exception 'no such organization' using errcode = 'NX000', detail = 'organization.not_found';
    end if;
  end if;
  return private.resolve_entry(new, v_notebook, v_groups, v_deleted);
end $function$;

CREATE OR REPLACE FUNCTION private.set_goal_status(p_goal_id uuid, p_status nectar.goal_status, p_moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_today constant date := private.date_of(v_actor, p_moment);
  v_before nectar.goal_status;
begin
  perform private.check_moment(p_moment);
  select g.status into v_before from nectar.goals g where g.id = p_goal_id and g.user_id = v_actor for no key update;
  if not found or v_before = p_status then return; end if;
  if v_before in ('completed', 'abandoned') and p_status <> 'active' then
    raise exception 'the goal has ended' using errcode = 'NX000', detail = 'goal.illegal_transition';
  end if;
  update nectar.goals g set status = p_status where g.id = p_goal_id;
  if p_status = 'active' then
    delete from nectar.goal_pauses p where p.goal_id = p_goal_id and p.until_date is null and p.from_date >= v_today;
    update nectar.goal_pauses p set until_date = v_today where p.goal_id = p_goal_id and p.until_date is null;
  elsif v_before = 'active' then
    insert into nectar.goal_pauses (goal_id, user_id, from_date)
    values (p_goal_id, v_actor, case p_status when 'paused' then v_today else v_today + 1 end);
  end if;
  perform private.recount_streaks(array[p_goal_id]);
end $function$;

CREATE OR REPLACE FUNCTION private.settle(p_notebook_id uuid, p_group_id uuid, p_user_id uuid, p_withdrawn_from uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_written constant integer := coalesce(nullif(current_setting('nectar.settled_entries', true), '')::integer, 0);
  v_batch record;
begin
  v_batch := private.settle_entries(
    (
      gen_random_uuid(), p_notebook_id, p_group_id, p_user_id, p_withdrawn_from, 'infinity',
      '00000000-0000-0000-0000-000000000000', now()
    )::private.unsettled_shares,
    greatest(private.max_settled_at_once() - v_written, 0), false
  );
  perform set_config('nectar.settled_entries', (v_written + v_batch.entries)::text, true);
  if not v_batch.is_done then insert into private.unsettled_shares select (v_batch.source).*; end if;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_deleted_group()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Withdrawn from no one: a group that does not exist has no members.
  perform private.settle(null, old.id, null, '{}');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_entries(p_source private.unsettled_shares, p_max_entries integer, p_waits boolean, OUT source private.unsettled_shares, OUT entries integer, OUT is_done boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_ids constant uuid[] := private.unsettled_entries(p_source, p_max_entries);
  v_batch constant uuid[] := private.entries_within_bytes(v_ids, 500 * p_max_entries);
  v_locked uuid[];
begin
  source := p_source;
  if p_waits then
    perform from nectar.journal_entries e where e.id = any (v_batch) order by e.created_at desc, e.id desc
      for no key update;
    v_locked := v_batch;
  else
    v_locked := array(
      select e.id from nectar.journal_entries e where e.id = any (v_batch) for no key update skip locked
    );
  end if;
  -- Setting a column to what it is makes the trigger resolve the entry again.
  update nectar.journal_entries e set inherit_visibility = e.inherit_visibility where e.id = any (v_locked);
  entries := cardinality(v_locked);
  is_done := cardinality(v_ids) < p_max_entries and entries = cardinality(v_ids);
  -- An entry that is being written by another transaction is left for the task, which begins again.
  if entries = cardinality(v_batch) and entries > 0 then
    select e.created_at, e.id into source.after_time, source.after_id
      from nectar.journal_entries e where e.id = v_batch[cardinality(v_batch)];
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_row constant jsonb := to_jsonb(coalesce(new, old));
  v_user_id constant uuid := v_row ->> 'user_id';
  v_group_id constant uuid := v_row ->> tg_argv[0];
  v_table text;
begin
  -- A deleted group settles what was shared with it by itself, and entries of a deleted account go with it.
  if cardinality(private.deleted_groups(v_group_id, v_group_id)) = 2
    or not exists (select from nectar.profiles p where p.id = v_user_id)
  then
    return null;
  end if;
  -- Setting the columns to what they are makes the trigger compute the audience again.
  foreach v_table in array array['notebooks', 'goals'] loop
    execute format(
      'update nectar.%I t set team_id = t.team_id, org_id = t.org_id
       where t.user_id = $1 and (t.team_id = $2 or t.org_id = $2)', v_table
    ) using v_user_id, v_group_id;
  end loop;
  perform private.settle(null, v_group_id, v_user_id, case when tg_op = 'DELETE' then array[v_group_id] else '{}' end);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_next()
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_source private.unsettled_shares;
  v_batch record;
begin
  select * into v_source from private.unsettled_shares s order by s.settled_at, s.id limit 1 for update skip locked;
  if not found then return false; end if;
  v_batch := private.settle_entries(v_source, private.max_settled_at_once(), true);
  if v_batch.is_done then
    delete from private.unsettled_shares s where s.id = v_source.id;
  else
    update private.unsettled_shares s
      set after_time = (v_batch.source).after_time, after_id = (v_batch.source).after_id, settled_at = clock_timestamp()
      where s.id = v_source.id;
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.settle_notebook()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_lost uuid[] := array[old.metadata_audience_id, old.content_audience_id];
begin
  if tg_op = 'UPDATE' then
    if (old.metadata_visibility, old.content_visibility, old.team_id, old.org_id, old.hidden_at)
      is not distinct from (new.metadata_visibility, new.content_visibility, new.team_id, new.org_id, new.hidden_at)
    then
      return null;
    end if;
    v_lost := array(
      select a.before
      from (values
        (old.metadata_audience_id, new.metadata_audience_id),
        (old.content_audience_id, new.content_audience_id)
      ) a (before, after)
      where private.is_within(a.before, a.after) is not true
    );
  end if;
  -- Entries of an account that is being deleted go with it.
  if exists (select from nectar.profiles p where p.id = old.user_id) then
    perform private.settle(old.id, null, old.user_id, array_remove(v_lost, old.user_id));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.settled_entry(p_entry nectar.journal_entries)
 RETURNS nectar.journal_entries
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_notebook nectar.notebooks;
begin
  if p_entry.user_id is distinct from private.actor_id() and not private.is_super_admin() then return p_entry; end if;
  select * into v_notebook from nectar.notebooks n where n.id = p_entry.notebook_id and n.user_id = p_entry.user_id;
  return private.resolve_entry(
    p_entry, v_notebook,
    array(
      select m.audience_id from private.audience_members m
      where m.user_id = p_entry.user_id
        and m.audience_id in (v_notebook.org_id, v_notebook.team_id, p_entry.org_id, p_entry.team_id)
    ),
    private.deleted_groups(p_entry.team_id, p_entry.org_id)
  );
end $function$;

CREATE OR REPLACE FUNCTION private.share_battle(p_week date)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(pg_catalog.hashtextextended('battle of ' || p_week::text, 0));
end $function$;

CREATE OR REPLACE FUNCTION private.shares_organization(p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from nectar.organization_members m
    where m.user_id = p_user_id and m.org_id in (select private.my_organization_ids())
  );
end $function$;

CREATE OR REPLACE FUNCTION private.shown_goals(p_ids uuid[], p_moment timestamp with time zone)
 RETURNS SETOF private.shown_goal
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_utc_date constant date := (p_moment at time zone 'UTC')::date;
begin
  return query
    select
      g.id, g.user_id, row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card, g.title, c.description, g.target_date,
      g.status, g.weekdays,
      row(
        -- Few goals need the date of their owner, which is at most a day from that of UTC.
        case when g.streak_ends_on <= v_utc_date
          then private.current_streak(g.user_id, g.streak, g.streak_ends_on, p_moment)
          else g.streak
        end,
        g.longest_streak
      )::private.goal_streak,
      g.comments_enabled, coalesce(c.comment_count, 0), g.metadata_visibility, g.content_visibility, g.team_id, g.org_id,
      private.visibility_of(g.metadata_audience_id, g.user_id, g.team_id, g.org_id),
      private.visibility_of(g.content_audience_id, g.user_id, g.team_id, g.org_id),
      c.goal_id is null, case when g.hidden_at is not null then 'hidden'::nectar.moderation_state end,
      private.rfc3339(g.created_at), private.rfc3339(g.updated_at)
    -- In a sub-select, or the planner makes a new plan in every call, because it knows the length of the array.
    from unnest((select p_ids)) with ordinality page (id, place)
    join nectar.goals g on g.id = page.id
    join nectar.profiles p on p.id = g.user_id
    left join nectar.goal_contents c on c.goal_id = g.id
    order by page.place;
end $function$;

CREATE OR REPLACE FUNCTION private.skip_blocked_notification()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Only for what a person does themselves: jobs write thousands, of what is long over.
  if new.caused_by = private.actor_id() then perform private.lock_pair(new.user_id, new.caused_by, true); end if;
  return case when private.has_block(new.user_id, new.caused_by) then null else new end;
end $function$;

CREATE OR REPLACE FUNCTION private.sorted_candidates(p_page jsonb, p_filter jsonb, p_ids uuid[], p_after_date date, p_after timestamp with time zone, p_after_id uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_scope constant text := p_page ->> 'scope';
  v_audiences constant uuid[] := private.audiences_of_scope(v_scope);
  v_by_date constant boolean := p_page ->> 'order' in ('latest date first', 'earliest date first');
  v_descending constant boolean := p_page ->> 'order' in ('newest first', 'latest date first');
  v_notebook_id constant uuid := p_filter ->> 'notebook_id';
begin
  if p_ids is null then return null; end if;
  return array(
    select e.id from unnest((select p_ids)) f (id)
    cross join lateral (
      select r.id, case when v_by_date then r.entry_date else 'epoch' end as day, r.created_at, r.user_id,
        r.metadata_audience_id, r.notebook_id
      from nectar.journal_entries r where r.id = f.id limit 1
    ) e
    where (v_notebook_id is null or e.notebook_id = v_notebook_id)
      and private.is_in_scope(v_scope, v_audiences, e.user_id, e.metadata_audience_id)
      and case
        when v_descending then (e.day, e.created_at, e.id) < (coalesce(p_after_date, 'epoch'), p_after, p_after_id)
        else (e.day, e.created_at, e.id) > (coalesce(p_after_date, 'epoch'), p_after, p_after_id)
      end
    order by
      case when v_descending then e.day end desc, case when v_descending then e.created_at end desc,
      case when v_descending then e.id end desc, e.day, e.created_at, e.id
  );
end $function$;

CREATE OR REPLACE FUNCTION private.start_check_in(p_from date)
 RETURNS private.started_check_in
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_person constant uuid := private.actor_id();
begin
  return row(
    private.read_window(v_person),
    (
      select row(l.latitude, l.longitude)::private.home from nectar.user_locations l
      where l.user_id = v_person and l.latitude is not null
    ),
    array(
      select row(
        c.date, c.window_start_time, c.window_end_time, c.timezone, private.rfc3339(c.window_starts_at)
      )::private.matched_day
      from nectar.chains c where c.user_id = v_person and c.date >= p_from order by c.date
    ),
    array(
      select k.date from nectar.workout_checkins k
      where k.user_id = v_person and k.date >= p_from and k.status <> 'rejected'
    ),
    private.consume_quota('photo_examination', 1),
    (select row(f.id, f.path)::private.expected_file from private.expect_new_file('checkins') f)
  )::private.started_check_in;
end $function$;

CREATE OR REPLACE FUNCTION private.start_erasure(p_user_id uuid, p_moment timestamp with time zone)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Waits for a restoration that has begun; one that begins later finds that the erasure has started.
  perform from nectar.profiles p where p.id = p_user_id for update;
  update nectar.accounts a
  set erasing_since = coalesce(a.erasing_since, p_moment), erasure_attempts = a.erasure_attempts + 1
  where a.user_id = p_user_id and a.erases_at <= p_moment;
  if not found then return null; end if;
  -- Not in the transaction that deletes the account: people who mark all their notifications as read lock several of them
  -- as well, and this one is tried again.
  update nectar.notifications n set data = n.data - 'full_name'
    where n.caused_by = p_user_id and n.type in ('drop_received', 'baton_pass', 'battle_update', 'comment');
  return private.open_subscriptions(p_user_id);
end $function$;

CREATE OR REPLACE FUNCTION private.start_import(p_id uuid, p_version text, p_dry_run boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_path text;
begin
  -- One that ends meanwhile must not be started again.
  perform from nectar.journal_imports i where i.id = p_id and i.user_id = private.actor_id() for no key update;
  v_path := private.archive_to_import(p_id);
  update nectar.journal_imports i
  set status = 'running', version = p_version, dry_run = p_dry_run, found = 0, created = 0, skipped = 0, failed = 0,
    problems = '[]', starts = 0
  where i.id = p_id and i.status <> 'running';
  if not found then raise exception 'it runs' using errcode = 'NX000', detail = 'import.in_progress'; end if;
  if not private.keep_archive(v_path, now() + interval '1 day') then
    raise exception 'the archive was removed' using errcode = 'NX000', detail = 'import.not_uploaded';
  end if;
exception when unique_violation then
  raise exception 'another one runs' using errcode = 'NX000', detail = 'import.in_progress';
end $function$;

CREATE OR REPLACE FUNCTION private.store_mosaic(p_date date, p_mosaic jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_ids uuid[];
  v_statuses nectar.mosaic_status[];
  v_colors nectar.team_color[];
begin
  select array_agg(n.user_id order by n.number), array_agg(n.status order by n.number), array_agg(n.color order by n.number)
    into v_user_ids, v_statuses, v_colors
  from rows from (
    jsonb_to_recordset(p_mosaic -> 'sections')
      as (user_id uuid, status nectar.mosaic_status, "teamColor" nectar.team_color)
  ) with ordinality n (user_id, status, color, number);
  insert into nectar.mosaics as m (
    date, image_key, total_participants, completed_count, failed_count, pending_count, digest, seen_at
  )
  select p_date, n.image_key, t.total, t.completed, t.failed, t.pending, n.digest, n.seen_at
  from jsonb_to_record(p_mosaic) n (image_key text, digest text, seen_at timestamptz)
  cross join (
    select count(*) as total, count(*) filter (where s = 'completed') as completed,
      count(*) filter (where s = 'failed') as failed, count(*) filter (where s = 'pending') as pending
    from unnest(v_statuses) s
  ) t
  on conflict on constraint mosaics_one_a_date do update
    set image_key = excluded.image_key, total_participants = excluded.total_participants,
      completed_count = excluded.completed_count, failed_count = excluded.failed_count,
      pending_count = excluded.pending_count, digest = excluded.digest, seen_at = excluded.seen_at
    where m.seen_at < excluded.seen_at;
  if not found then return false; end if;
  -- All profiles are locked before the first row is written, as account deletion locks the profile first.
  perform
  from unnest(v_user_ids, v_statuses, v_colors) with ordinality n (user_id, status, color, number)
  join nectar.profiles p on p.id = n.user_id
  left join nectar.mosaic_sections s on s.date = p_date and s.position = n.number - 1
  where (s.user_id, s.status, s.team_color) is distinct from (n.user_id, n.status, n.color) order by n.user_id
  for key share of p;
  insert into nectar.mosaic_sections as s (date, position, user_id, status, team_color)
  select p_date, (n.number - 1)::integer, n.user_id, n.status, n.color
  from unnest(v_user_ids, v_statuses, v_colors) with ordinality n (user_id, status, color, number)
  join nectar.profiles p on p.id = n.user_id
  on conflict (date, position) do update
    set user_id = excluded.user_id, status = excluded.status, team_color = excluded.team_color
    where (s.user_id, s.status, s.team_color) is distinct from (excluded.user_id, excluded.status, excluded.team_color);
  -- Those beyond the end, and those at the position of a person whose account was deleted before this was written.
  delete from nectar.mosaic_sections s where s.date = p_date and v_user_ids[s.position + 1] is distinct from s.user_id;
  perform private.keep_file('private', p_mosaic ->> 'image_key');
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.store_note_analysis(p_user_id uuid, p_claim uuid, p_moment timestamp with time zone, p_analysis jsonb, p_entry_ids uuid[], p_state private.notes_state)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_analysis_id uuid;
  v_readable integer;
begin
  perform private.lock_profile(p_user_id);
  -- Locked, so that the permission is not withdrawn before this transaction ends.
  perform from nectar.accounts a where a.user_id = p_user_id and a.read_notes_enabled for share;
  if not found then return null; end if;
  -- Locked as well: deleting the analyses meanwhile either ends the claim first, or deletes what is stored here.
  perform from private.assistant_turns t
    where t.user_id = p_user_id and t.job = 'note_analysis' and t.claim = p_claim for update;
  if not found then return null; end if;
  -- Locked as well: excluding one of them waits for this transaction, and then deletes what is stored here.
  perform from nectar.journal_entries e
    where e.id = any (p_entry_ids) and e.user_id = p_user_id and not e.ai_excluded order by e.id for share;
  get diagnostics v_readable = row_count;
  if v_readable < cardinality(p_entry_ids) then return null; end if;
  insert into nectar.note_analyses as n (
    user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations, insights, entry_count
  )
  values (
    p_user_id, (p_moment at time zone 'UTC')::date, p_analysis ->> 'summary', p_analysis -> 'mood_trends', p_analysis -> 'topics',
    p_analysis -> 'patterns', p_analysis ->> 'recommendations', p_analysis -> 'insights', cardinality(p_entry_ids)
  )
  on conflict on constraint note_analyses_one_a_day do update set
    summary = excluded.summary,
    mood_trends = excluded.mood_trends,
    topics = excluded.topics,
    patterns = excluded.patterns,
    recommendations = excluded.recommendations,
    insights = excluded.insights,
    entry_count = excluded.entry_count,
    updated_at = now()
  returning n.id into v_analysis_id;
  delete from nectar.note_analysis_sources s where s.analysis_id = v_analysis_id;
  insert into nectar.note_analysis_sources (analysis_id, user_id, entry_id)
  select v_analysis_id, p_user_id, e.id from unnest(p_entry_ids) e (id);
  update private.assistant_turns
    set attempts = 0, claim = null, claimed_until = null, finished_at = p_moment, analyses = analyses + 1,
      notes_since = (p_state).since, notes_version = (p_state).version, notes_fingerprint = (p_state).fingerprint
    where user_id = p_user_id and job = 'note_analysis';
  return v_analysis_id;
end $function$;

CREATE OR REPLACE FUNCTION private.store_response(p_route text, p_key text, p_body_hash text, p_status smallint, p_body text, p_resource_id uuid, p_is_final boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.idempotency_keys (route, key, body_hash, status, body, resource_id, is_final)
  values (p_route, p_key, p_body_hash, p_status, p_body, p_resource_id, p_is_final);
end $function$;

CREATE OR REPLACE FUNCTION private.subscribe_device(p_endpoint text, p_p256dh text, p_auth text)
 RETURNS SETOF nectar.push_subscriptions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_max_devices constant integer := 20;
  v_person constant uuid := private.actor_id();
  v_subscription nectar.push_subscriptions;
begin
  perform private.lock_profile(v_person);
  -- One at a time for a person, so that two requests do not both add the last device.
  perform from nectar.accounts a where a.user_id = v_person for no key update;
  insert into nectar.push_subscriptions as s (user_id, endpoint, p256dh, auth)
  values (v_person, p_endpoint, p_p256dh, p_auth) on conflict on constraint push_subscriptions_endpoint_once do update
    set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, renewed_at = clock_timestamp(),
      created_at = case when s.user_id = excluded.user_id then s.created_at else now() end
  returning * into v_subscription;
  -- Pending notifications of the previous user of the device are not for this one.
  delete from private.push_deliveries d
  using nectar.notifications n
  where d.subscription_id = v_subscription.id and n.id = d.notification_id and n.user_id <> v_person;
  delete from nectar.push_subscriptions o
  where o.id in (
    select e.id from nectar.push_subscriptions e where e.user_id = v_person and e.id <> v_subscription.id
    order by e.renewed_at desc, e.id desc offset v_max_devices - 1
  );
  return next v_subscription;
end $function$;

CREATE OR REPLACE FUNCTION private.suspend_user(p_user_id uuid, p_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from nectar.profiles p where p.id = p_user_id for update;
  update nectar.accounts a set suspended_until = p_until where a.user_id = p_user_id;
end $function$;

CREATE OR REPLACE FUNCTION private.sync_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.open_account(new.id, new.email, new.raw_user_meta_data, new.raw_app_meta_data);
  elsif new.email is distinct from old.email then
    update nectar.accounts set email = new.email where user_id = new.id;
  end if;
  if new.email_confirmed_at is not null then perform private.continue_suspension(new.id); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.sync_file_of_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_old constant text := to_jsonb(old) ->> tg_argv[1];
  v_new constant text := to_jsonb(new) ->> tg_argv[1];
begin
  if v_old is distinct from v_new and v_old is not null then perform private.discard_file(tg_argv[0], v_old); end if;
  if v_new is not null then perform private.keep_file(tg_argv[0], v_new); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.sync_open_day()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' then
    update private.open_days o set day_ends_at = new.day_ends_at
    where o.day_ends_at = old.day_ends_at and o.user_id = old.user_id and o.chain_id = old.id
      and new.day_ends_at <> old.day_ends_at;
    return null;
  end if;
  delete from private.open_days o
  where o.day_ends_at = old.day_ends_at and o.user_id = old.user_id and o.chain_id = old.id;
  -- Matching deletes rows too, of people who keep their account; it has matched their neighbors already.
  if found and not exists (select from nectar.profiles p where p.id = old.user_id) then
    insert into private.players_to_match (user_id)
    select o.user_id
    from (
      select unnest(array[old.before_user_id, old.after_user_id])
      union
      select unnest(array[s.user_1_id, s.user_2_id, s.user_3_id]) from nectar.squads s where s.id = old.squad_id
    ) o (user_id)
    where exists (select from nectar.profiles p where p.id = o.user_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.sync_premium()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_subscriber uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
begin
  -- Locked, so that two changes of one person's subscriptions see each other.
  perform from nectar.accounts a where a.user_id = v_subscriber for update;
  update nectar.accounts a
  set is_premium = exists (select from nectar.subscriptions s where s.user_id = v_subscriber and s.status = 'active')
  where a.user_id = v_subscriber;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.sync_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update nectar.user_badges b set is_ai = new.is_ai where b.user_id = new.id and b.is_ai <> new.is_ai;
  perform private.rewrite_member_names(new);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.sync_settings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.leaderboard_visible <> old.leaderboard_visible then
    update nectar.user_badges b set is_hidden = not new.leaderboard_visible where b.user_id = new.user_id;
  end if;
  if new.timezone is distinct from old.timezone then
    -- Setting the time to what it is lets the reminder job compute when the reminder is due.
    update nectar.notification_settings s set reminder_time = s.reminder_time where s.user_id = new.user_id;
    perform private.release_waiting_pushes(new.user_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.system_user_id()
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '00000000-0000-4000-8000-000000000001'::uuid;

CREATE OR REPLACE FUNCTION private.tag_terms(p_tag_keys text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return array(select 'tag:' || t from unnest(p_tag_keys) t);
end $function$;

CREATE OR REPLACE FUNCTION private.metadata_keys(p_audience_id uuid, p_title text, p_tag_keys text[], p_mood text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN private.search_keys(p_audience_id, ((private.search_terms(extensions.show_trgm(p_title)) || private.tag_terms(p_tag_keys)) || private.mood_term(p_mood)));

CREATE OR REPLACE FUNCTION private.take_idempotency_key(p_route text, p_key text, p_body_hash text, p_kept interval, p_max_command_time interval)
 RETURNS TABLE(status smallint, body text)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_stored private.idempotency_keys;
  v_is_dead boolean;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(format('%s %s %s', v_actor, p_route, p_key), 0)) then
    raise exception 'the same request is running' using errcode = 'NX000', detail = 'idempotency.in_progress';
  end if;
  select * into v_stored from private.idempotency_keys k
  where k.user_id = v_actor and k.route = p_route and k.key = p_key;
  if not found then return; end if;
  v_is_dead := v_stored.created_at <= now() - p_max_command_time;
  if v_stored.created_at < now() - p_kept
    or (v_stored.status is null and v_stored.body_hash = p_body_hash and v_is_dead)
  then
    delete from private.idempotency_keys k where k.user_id = v_actor and k.route = p_route and k.key = p_key;
    return;
  end if;
  if v_stored.body_hash <> p_body_hash then
    raise exception 'the key was used with another body' using errcode = 'NX000', detail = 'idempotency.key_reused';
  end if;
  if v_stored.status is null or not (v_stored.is_final or v_is_dead) then
    raise exception 'the same request is running' using errcode = 'NX000', detail = 'idempotency.in_progress';
  end if;
  return query select v_stored.status, v_stored.body;
end $function$;

CREATE OR REPLACE FUNCTION private.terms_within(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT unnest(private.search_terms(extensions.show_trgm(terms_within.p_text))) AS unnest INTERSECT SELECT unnest(private.search_terms(extensions.show_trgm((('a'::text || terms_within.p_text) || 'a'::text)))) AS unnest);

CREATE OR REPLACE FUNCTION private.thing(p_entry_id uuid, p_goal_id uuid)
 RETURNS nectar.journal_entries
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_thing nectar.journal_entries;
begin
  if p_goal_id is null then
    select * into v_thing from nectar.journal_entries e where e.id = p_entry_id;
  else
    select t.* into v_thing from nectar.goals g
    cross join lateral jsonb_populate_record(null::nectar.journal_entries, to_jsonb(g)) t
    where g.id = p_goal_id;
  end if;
  return v_thing;
end $function$;

CREATE OR REPLACE FUNCTION private.today()
 RETURNS date
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return private.date_of(private.actor_id(), now());
end $function$;

CREATE OR REPLACE FUNCTION private.toggle_synthetic_user(p_user_id uuid, p_is_active boolean)
 RETURNS SETOF nectar.synthetic_users
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin switches synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  -- The window as well: matching looks only at windows.
  update nectar.workout_windows w set away = case when p_is_active then '{}' else '{(,)}' end::datemultirange
  where w.user_id = p_user_id and exists (select from nectar.synthetic_users s where s.user_id = p_user_id);
  return query update nectar.synthetic_users s set is_active = p_is_active where s.user_id = p_user_id returning s.*;
end $function$;

CREATE OR REPLACE FUNCTION private.token_usage_monthly(p_user_id uuid, p_year integer, p_month integer)
 RETURNS SETOF nectar.token_usage_month
 LANGUAGE sql
 STABLE ROWS 1
 SET search_path TO ''
AS $function$
    with period as (
      select
        make_timestamptz(p_year, p_month, 1, 0, 0, 0, 'UTC') as starts,
        -- December's end is January of the next year.
        make_timestamptz(p_year + p_month / 12, p_month % 12 + 1, 1, 0, 0, 0, 'UTC') as ends
    ), rates as (
      -- Only the rates in force during the month: the newest one that is not after its start, and those set within it.
      select c.rate, c.effective_date as since,
        lead(c.effective_date, 1, 'infinity') over (order by c.effective_date, c.id) as until
      from nectar.conversion_rates c, period m
      where c.effective_date < m.ends
        and c.effective_date >= (select max(b.effective_date) from nectar.conversion_rates b where b.effective_date <= m.starts)
    ), used as (
      select u.usage_type, r.rate,
        sum(u.input_tokens::bigint + u.output_tokens)::bigint as tokens,
        sum(u.cost_usd) as cost_usd,
        count(*) as calls
      from nectar.token_usage u
      cross join period m
      left join rates r on u.created_at >= r.since and u.created_at < r.until
      where u.user_id = p_user_id and u.created_at >= m.starts and u.created_at < m.ends and u.has_reply
      group by u.usage_type, r.rate
    ), kinds as (
      select k.kind, coalesce(sum(u.tokens), 0)::bigint as tokens,
        coalesce(sum(u.cost_usd), 0)::numeric(18, 6) as cost_usd,
        coalesce(sum(u.calls), 0)::bigint as calls,
        -- Quotients such as 1/3 have no end, so they keep more decimal places than the result.
        coalesce(sum(u.tokens::numeric(50, 30) / u.rate), 0) as drops
      from (
        values
          ('tone', 'tone_analysis'), ('images', 'background_generation'), ('packs', 'tone_pack_image'),
          ('assistant', 'assistant_drop'), ('analysis', 'note_analysis')
      ) as k (kind, usage_type)
      left join used u on u.usage_type = k.usage_type::nectar.token_usage_type
      group by k.kind
    )
    select
      to_char(m.starts at time zone 'UTC', 'YYYY-MM'),
      sum(k.tokens)::bigint,
      sum(k.cost_usd)::numeric(18, 6),
      -- Half up, after removing the error of the quotients, which could tip a half.
      round(round(sum(k.drops), 20), 2),
      jsonb_object_agg(k.kind, jsonb_build_object('tokens', k.tokens, 'cost_usd', k.cost_usd, 'count', k.calls))
    from kinds k cross join period m group by m.starts
  $function$;

CREATE OR REPLACE FUNCTION private.touch_thing_of_content()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  execute format('update nectar.%ss set updated_at = now() where id = $1', tg_argv[0])
    using (to_jsonb(new) ->> (tg_argv[0] || '_id'))::uuid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION private.transfer_organization(p_org_id uuid, p_new_owner_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_actor constant uuid := private.actor_id();
  v_old_owner uuid;
begin
  perform private.lock_profiles(array[p_new_owner_id]);
  perform private.lock_pair(v_actor, p_new_owner_id, true);
  select o.owner_id into v_old_owner from nectar.organizations o where o.id = p_org_id for update;
  if not found then
    raise exception 'no such organization' using errcode = 'NX000', detail = 'organization.not_found';
  end if;
  if v_old_owner is distinct from v_actor and not private.is_super_admin() then
    raise exception 'only the owner may transfer an organization' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if private.is_human(p_new_owner_id) = false then
    raise exception 'the new owner is not human' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform from nectar.organization_members m where m.org_id = p_org_id and m.user_id = p_new_owner_id for key share;
  if not found then
    raise exception 'the new owner is no member' using errcode = 'NX000', detail = 'organization.not_a_member';
  end if;
  if private.has_block(v_actor, p_new_owner_id) then
    raise exception 'a block between the two' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform private.give_organization(p_org_id, p_new_owner_id, v_actor);
  update nectar.organization_members set role = 'admin' where org_id = p_org_id and user_id = v_old_owner;
end $function$;

CREATE OR REPLACE FUNCTION private.trash_entry(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_background_file text;
begin
  -- Deleting the entry changes the drops about it.
  perform private.lock_profiles(array(
    select unnest(array[d.sender_id, d.recipient_id]) from nectar.encouragement_drops d where d.entry_id = p_id
  ));
  perform from nectar.journal_entries e where e.id = p_id and e.user_id = private.actor_id() for update;
  if not found then return false; end if;
  insert into nectar.trashed_entries (
    id, user_id, notebook_id, title, content, mood, found_mood, tags, entry_date, ai_excluded, is_imported,
    comments_enabled, metadata_visibility, content_visibility, inherit_visibility, team_id, org_id, drop_ids, background_id, background_quality,
    background_created_at, background_file, created_at, updated_at
  )
  select e.id, e.user_id, e.notebook_id, e.title, c.content, e.mood, c.found_mood, e.tags, e.entry_date, e.ai_excluded,
    e.is_imported, e.comments_enabled, e.metadata_visibility, e.content_visibility, e.inherit_visibility, e.team_id, e.org_id,
    array(select d.id from nectar.encouragement_drops d where d.entry_id = e.id),
    b.id, b.quality, b.created_at, b.file_key, e.created_at, e.updated_at
  from nectar.journal_entries e
  left join nectar.journal_entry_contents c on c.entry_id = e.id
  left join nectar.entry_backgrounds b on b.entry_id = e.id
  where e.id = p_id returning background_file into v_background_file;
  update nectar.entry_pictures p set entry_id = null, trashed_entry_id = p_id where p.entry_id = p_id;
  delete from nectar.journal_entries e where e.id = p_id;
  -- Deleting the background has discarded its file.
  perform private.keep_file('private', v_background_file);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION private.trash_expires_at(p_deleted_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((p_deleted_at AT TIME ZONE 'UTC'::text) + '30 days'::interval) AT TIME ZONE 'UTC'::text);

CREATE OR REPLACE FUNCTION private.undo_decision(p_decision_id uuid, p_moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_decision nectar.moderation_decisions;
begin
  perform private.lock_moderation(d.owner_id) from nectar.moderation_decisions d where d.id = p_decision_id;
  update nectar.moderation_decisions d set reversed_at = p_moment
    where d.id = p_decision_id and d.reversed_at is null returning * into v_decision;
  if found then
    update nectar.reports r set status = 'dismissed' where r.decision_id = p_decision_id;
    perform private.apply_decisions(v_decision);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION private.unless_hidden(p_visibility nectar.visibility, p_hidden_at timestamp with time zone)
 RETURNS nectar.visibility
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_hidden_at IS NULL) THEN p_visibility ELSE 'user'::nectar.visibility END;

CREATE OR REPLACE FUNCTION private.unsettled_entries(p_source private.unsettled_shares, p_max_entries integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_notebook_exists constant boolean := exists (select from nectar.notebooks n where n.id = p_source.notebook_id);
begin
  if p_source.notebook_id is not null then
    return array(
      select e.id from nectar.journal_entries e
      where e.notebook_id = p_source.notebook_id
        and (not v_notebook_exists or (e.inherit_visibility and 'user' in (e.metadata_visibility, e.content_visibility)))
        and (e.created_at, e.id) < (p_source.after_time, p_source.after_id)
      order by e.created_at desc, e.id desc limit p_max_entries
    );
  elsif p_source.user_id is not null then
    return array(
      select e.id from nectar.journal_entries e
      where e.user_id = p_source.user_id
        and (
          e.team_id = p_source.group_id or e.org_id = p_source.group_id
          or e.notebook_id in (
            select n.id from nectar.notebooks n
            where n.user_id = p_source.user_id and (n.team_id = p_source.group_id or n.org_id = p_source.group_id)
          )
        )
        and (e.created_at, e.id) < (p_source.after_time, p_source.after_id)
      order by e.created_at desc, e.id desc limit p_max_entries
    );
  end if;
  return array(
    select e.id from nectar.journal_entries e
    where (e.team_id = p_source.group_id or e.org_id = p_source.group_id)
      and (e.created_at, e.id) < (p_source.after_time, p_source.after_id)
    order by e.created_at desc, e.id desc limit p_max_entries
  );
end $function$;

CREATE OR REPLACE FUNCTION private.unsettled_sources()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from private.unsettled_shares) then return '{}'; end if;
  return array(
    select coalesce(s.notebook_id, s.group_id) from private.unsettled_shares s
    where s.user_id is null or s.user_id = private.actor_id() or private.is_super_admin()
  );
end $function$;

CREATE OR REPLACE FUNCTION private.unshare()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_level constant nectar.visibility := tg_argv[0];
  v_table text;
begin
  foreach v_table in array array['notebooks', 'goals'] loop
    execute format(
      'update nectar.%I t
       set metadata_visibility = case t.metadata_visibility when $1 then ''user'' else t.metadata_visibility end,
         content_visibility = case t.content_visibility when $1 then ''user'' else t.content_visibility end,
         team_id = nullif(t.team_id, $2), org_id = nullif(t.org_id, $2)
       where t.team_id = $2 or t.org_id = $2', v_table
    ) using v_level, old.id;
  end loop;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION private.unused_bonus(p_allowance nectar.encouragement_allowances)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN LEAST((p_allowance).bonus_earned, GREATEST(0, ((((p_allowance).daily_allowance + (p_allowance).bonus_carried) + (p_allowance).bonus_earned) - (p_allowance).drops_used)));

CREATE OR REPLACE FUNCTION private.unwrap_metadata(p_metadata jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if jsonb_typeof(p_metadata) = 'string' then return (p_metadata #>> '{}')::jsonb; end if;
  return p_metadata;
-- Both names cover their whole class: invalid JSON, a NUL character, a number or a depth out of range.
exception when data_exception or program_limit_exceeded then
  return '{}';
end $function$;

CREATE OR REPLACE FUNCTION private.update_player_area()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_person constant uuid := coalesce(new.user_id, old.user_id);
begin
  if new is not distinct from old then return null; end if;
  if tg_op = 'UPDATE' and tg_table_name = 'user_locations' then
    -- Synthetic users play only where they have coordinates.
    if (old.city, old.region, old.latitude is null) is not distinct from (new.city, new.region, new.latitude is null) then
      return null;
    end if;
  end if;
  -- If a window and a location are written at the same time, the later transaction sees the earlier one.
  perform from nectar.profiles p where p.id = v_person for no key update;
  if not found then return null; end if;
  insert into private.player_areas as p (user_id, area_key)
  select w.user_id, private.area_key(l.city, l.region, w.timezone) from nectar.workout_windows w
  left join nectar.user_locations l on l.user_id = w.user_id
  where w.user_id = v_person
  on conflict (user_id) do update set area_key = excluded.area_key where p.area_key <> excluded.area_key;
  insert into private.players_to_match (user_id)
  select w.user_id from nectar.workout_windows w where w.user_id = v_person;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.use_allowance(p_user_id uuid, p_date date, p_is_custom boolean)
 RETURNS private.drop_allowance
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_max_custom constant integer := (select c.max_custom_drops_per_day from nectar.encouragement_config c);
  v_day nectar.encouragement_allowances;
begin
  -- The carried bonus is computed each time, because a transaction that began before midnight may have changed it.
  insert into nectar.encouragement_allowances as a
    (user_id, date, daily_allowance, drops_used, custom_drops_used, bonus_carried)
  select p_user_id, p_date, c.daily_allowance, 1, p_is_custom::integer, private.unused_bonus(y)
  from nectar.encouragement_config c
  left join nectar.encouragement_allowances y on y.user_id = p_user_id and y.date = p_date - 1
  on conflict (user_id, date) do update
    set daily_allowance = excluded.daily_allowance, bonus_carried = excluded.bonus_carried,
      drops_used = a.drops_used + 1, custom_drops_used = a.custom_drops_used + excluded.custom_drops_used
  returning a.* into v_day;
  if v_day.drops_used > v_day.daily_allowance + v_day.bonus_carried + v_day.bonus_earned then
    raise exception 'allowance exhausted' using errcode = 'NX000', detail = 'encouragement.allowance_exhausted';
  end if;
  if p_is_custom and v_day.custom_drops_used > v_max_custom then
    raise exception 'custom drops exhausted' using errcode = 'NX000', detail = 'encouragement.custom_drops_exhausted';
  end if;
  return row(
    v_day.daily_allowance, v_day.drops_used, v_day.bonus_carried + v_day.bonus_earned, v_day.custom_drops_used, v_max_custom
  )::private.drop_allowance;
end $function$;

CREATE OR REPLACE FUNCTION private.use_token(p_token_hash bytea)
 RETURNS TABLE(id uuid, user_id uuid, scopes text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_token nectar.personal_tokens;
  v_hour_ago constant timestamptz := now() - interval '1 hour';
begin
  select * into v_token from nectar.personal_tokens t where t.token_hash = p_token_hash and t.expires_at > now();
  if not found then return; end if;
  if v_token.last_used_at is null or v_token.last_used_at < v_hour_ago then
    update nectar.personal_tokens t set last_used_at = now()
    where t.id = v_token.id and (t.last_used_at is null or t.last_used_at < v_hour_ago);
  end if;
  return query select v_token.id, v_token.user_id, v_token.scopes::text[];
end $function$;

CREATE OR REPLACE FUNCTION private.verified_streaks(p_user_id uuid, p_from date, p_to date)
 RETURNS TABLE(days bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    select count(*)
    from (
      select k.date - row_number() over (order by k.date)::integer as streak from nectar.workout_checkins k
      where k.user_id = p_user_id and k.date between p_from and p_to and k.status = 'verified'
    ) day
    group by day.streak;
end $function$;

CREATE OR REPLACE FUNCTION private.visibility_of(p_audience_id uuid, p_author_id uuid, p_team_id uuid, p_org_id uuid)
 RETURNS nectar.visibility
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE p_audience_id WHEN p_author_id THEN 'user'::nectar.visibility WHEN p_team_id THEN 'team'::nectar.visibility WHEN p_org_id THEN 'org'::nectar.visibility ELSE 'public'::nectar.visibility END;

CREATE OR REPLACE FUNCTION private.wait_for_account_deletions()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('deletion of accounts', 0)) $function$;

CREATE OR REPLACE FUNCTION private.week_start(p_date date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (p_date - ((EXTRACT(isodow FROM p_date))::integer - 1));

CREATE OR REPLACE FUNCTION private.matching_lock(p_date date)
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN hashtextextended(('chains '::text || private.week_start(p_date)), (0)::bigint);

CREATE OR REPLACE FUNCTION private.withdraw_from_exports(p_readers uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- First those that are being built: one that is finished meanwhile is found by the last statement.
  update nectar.exports x set claim = null, attempts = 0
  where x.user_id = any ((select p_readers)::uuid[]) and x.status = 'pending';
  update nectar.exports x set status = 'expired', expires_at = now()
  where x.user_id = any ((select p_readers)::uuid[]) and x.status = 'ready';
end $function$;

CREATE OR REPLACE FUNCTION private.withdrawn_shares()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from private.unsettled_shares) then return '{}'; end if;
  return array(
    select coalesce(s.notebook_id, private.member_share(s.user_id, s.group_id)) from private.unsettled_shares s
    where s.withdrawn_from && (private.my_audiences() || private.public_audience())
  );
end $function$;

CREATE OR REPLACE FUNCTION private.write_chains(p_date date, p_changes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_squad_ids constant uuid[] := array(
    select coalesce(s.id, gen_random_uuid())
    from rows from (jsonb_to_recordset(p_changes -> 'squads') as (id uuid)) with ordinality s (id, number)
    order by s.number
  );
  v_removed_squads constant uuid[] := array(select jsonb_array_elements_text(p_changes -> 'removed_squads'));
  v_removed_players constant uuid[] := array(select jsonb_array_elements_text(p_changes -> 'removed_players'));
begin
  insert into nectar.squads as s (id, date, user_1_id, user_2_id, user_3_id, team_color)
  select v_squad_ids[n.number], p_date, n.user_1_id, n.user_2_id, n.user_3_id, n.color
  from rows from (
    jsonb_to_recordset(p_changes -> 'squads')
      as (user_1_id uuid, user_2_id uuid, user_3_id uuid, color nectar.team_color)
  ) with ordinality n (user_1_id, user_2_id, user_3_id, color, number)
  on conflict (id) do update
    set user_1_id = excluded.user_1_id, user_2_id = excluded.user_2_id, user_3_id = excluded.user_3_id;

  insert into nectar.team_colors (user_id, week_start_date, color)
  select n.user_id, private.week_start(p_date), n.color
  from jsonb_to_recordset(p_changes -> 'players') n (user_id uuid, color nectar.team_color)
  on conflict (week_start_date, user_id) do nothing;

  insert into nectar.chains (
    date, user_id, before_user_id, after_user_id, team_color, squad_id, area_key, activity_type, custom_activity,
    timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at
  )
  select p_date, n.user_id, n.before, n.after, n.color, coalesce(v_squad_ids[n.squad_number], n.squad_id), n.area_key,
    n.activity, n.custom_activity, n.timezone, n.window_start, n.window_end, n.starts_at, n.ends_at, n.day_ends_at
  from jsonb_to_recordset(p_changes -> 'players') n (
    user_id uuid, before uuid, after uuid, color nectar.team_color, squad_id uuid, squad_number integer, area_key text,
    activity nectar.activity_type, custom_activity text, timezone text, window_start time, window_end time,
    starts_at timestamptz, ends_at timestamptz, day_ends_at timestamptz
  )
  -- The order in which check-ins lock the rows of a chain.
  order by n.starts_at, n.user_id
  on conflict on constraint chains_one_a_day do update
    set before_user_id = excluded.before_user_id, after_user_id = excluded.after_user_id,
      squad_id = excluded.squad_id, area_key = excluded.area_key, activity_type = excluded.activity_type,
      custom_activity = excluded.custom_activity, timezone = excluded.timezone,
      window_start_time = excluded.window_start_time, window_end_time = excluded.window_end_time,
      window_starts_at = excluded.window_starts_at, window_ends_at = excluded.window_ends_at,
      day_ends_at = excluded.day_ends_at;

  -- After the players have joined other squads, so that no row refers to these any more.
  delete from nectar.squads s where s.id = any (v_removed_squads);
  delete from nectar.chains c where c.date = p_date and c.user_id = any (v_removed_players);
  -- A person who plays on no day of the week leaves its team.
  delete from nectar.team_colors t
  where t.week_start_date = private.week_start(p_date) and t.user_id = any (v_removed_players)
    and not exists (
      select from nectar.chains c
      where c.user_id = t.user_id and c.date between t.week_start_date and t.week_start_date + 6
    );
  perform private.notify_of_chains(p_date, p_changes -> 'notifications');
end $function$;

CREATE OR REPLACE FUNCTION private.write_names_of_new_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A profile that is being renamed is waited for.
  perform from nectar.profiles p where p.id in (select n.user_id from new_rows n) order by p.id for share;
  insert into nectar.member_names (org_id, user_id, word_number, full_name, search_text)
  select n.org_id, n.user_id, w.word_number, p.full_name, w.search_text from new_rows n
  join nectar.profiles p on p.id = n.user_id and p.full_name is not null and not p.is_ai
  cross join lateral private.name_words(p.full_name) w;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION private.written_days(p_entries private.own_entry[])
 RETURNS private.written_day[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select row(d.entry_date, d.entries, d.words, m.mood)::private.written_day
    from (
      select e.entry_date, count(*) as entries, sum(e.words) as words from unnest(p_entries) e group by e.entry_date
    ) d
    left join (
      select distinct on (e.entry_date) e.entry_date, (array_agg(e.mood order by e.written_at desc))[1] as mood
      from unnest(p_entries) e where e.mood is not null group by e.entry_date, lower(e.mood)
      order by e.entry_date, count(*) desc, max(e.written_at) desc, lower(e.mood)
    ) m on m.entry_date = d.entry_date
  );
end $function$;

CREATE OR REPLACE FUNCTION public.get_user_token_usage_monthly(user_id uuid, year integer, month integer)
 RETURNS SETOF nectar.token_usage_month
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO ''
AS $function$
begin
  -- `role` is the role that the session has set, not the owner of this function; clients of the data API cannot choose
  -- it.
  if not exists (select from nectar.profiles p where p.id = user_id and p.id = private.actor_id())
    and current_setting('role', true) is distinct from 'service_role'
  then
    raise exception 'only your own usage' using errcode = '42501';
  end if;
  return query select * from private.token_usage_monthly(user_id, year, month);
end $function$;

CREATE OR REPLACE PROCEDURE private.begin_as_user(IN p_user_id uuid, IN p_writes boolean, IN p_while_suspended boolean DEFAULT false, IN p_while_closing boolean DEFAULT false, IN p_token_id uuid DEFAULT NULL::uuid)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $procedure$
declare
  v_set text;
  v_exists boolean;
begin
  -- Assignments, because a function that is called by PERFORM costs a statement of its own.
  v_set := set_config('role', 'nectar_user', true);
  v_set := set_config(
    'request.jwt.claims',
    '{"sub":"' || p_user_id || '","role":"authenticated"' || coalesce(',"token":"' || p_token_id || '"', '') || '}', true
  );
  if p_writes then
    v_exists := private.lock_writer(p_user_id, p_while_suspended, p_while_closing);
  else
    v_set := set_config('transaction_read_only', 'on', true);
    v_set := set_config('statement_timeout', '4s', true);
    v_exists := private.has_profile(p_user_id);
  end if;
  if not v_exists then
    raise exception 'no such account' using errcode = 'NX000', detail = 'auth.unknown_account';
  end if;
  if p_token_id is not null and not private.has_token(p_token_id, p_writes) then
    raise exception 'no such token' using errcode = 'NX000', detail = 'auth.invalid_token';
  end if;
end $procedure$;

CREATE OR REPLACE PROCEDURE private.begin_on_replica(IN p_user_id uuid, IN p_position text, IN p_bound pg_lsn)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $procedure$
declare
  v_replayed constant pg_lsn := pg_last_wal_replay_lsn();
begin
  if not pg_is_in_recovery() or v_replayed < p_bound then
    raise exception 'the replica lags' using errcode = 'NX001';
  elsif v_replayed < nullif(p_position, '')::pg_lsn then
    raise exception 'the replica is behind the caller' using errcode = 'NX002';
  end if;
  call private.begin_as_user(p_user_id, false);
end $procedure$;

ALTER TABLE "nectar"."battles" ADD CONSTRAINT "battles_completed_has_result" CHECK ((((battle_status = 'completed'::nectar.battle_status) = (winner IS NOT NULL)) AND ((winner IS NULL) = (battle_result IS NULL))));

ALTER TABLE "nectar"."battles" ADD CONSTRAINT "battles_daily_chips_at_the_end" CHECK (((daily_chips IS NULL) OR ((battle_status = 'completed'::nectar.battle_status) AND (jsonb_typeof(daily_chips) = 'array'::text))));

ALTER TABLE "nectar"."chains" ADD CONSTRAINT "chains_one_a_day" UNIQUE (date, user_id) INCLUDE (team_color, window_ends_at, day_ends_at);

ALTER TABLE "nectar"."chains" ADD CONSTRAINT "chains_other_is_named" CHECK (((activity_type = 'other'::nectar.activity_type) = (custom_activity IS NOT NULL)));

ALTER TABLE "nectar"."drop_templates" ADD CONSTRAINT "drop_templates_link_has_service" CHECK (((media_type IS NULL) = (media_url IS NULL)));

ALTER TABLE "nectar"."drop_templates" ADD CONSTRAINT "drop_templates_media_has_link" CHECK (((type = 'media'::nectar.encouragement_drop_type) = (media_url IS NOT NULL)));

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_bonus_follows_engagement" CHECK (((bonus_drops_awarded >= 0) AND ((engagement = 'engaged'::nectar.engagement_state) OR (bonus_drops_awarded = 0))));

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_link_has_service" CHECK (((media_type IS NULL) = (media_url IS NULL)));

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_media_has_link" CHECK (((drop_type = 'media'::nectar.encouragement_drop_type) = (media_url IS NOT NULL)));

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_system_never_earns" CHECK (((sender_id <> '00000000-0000-4000-8000-000000000001'::uuid) OR (engagement = 'never'::nectar.engagement_state)));

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_template_id_fkey" FOREIGN KEY (template_id) REFERENCES nectar.drop_templates(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."exports" ADD CONSTRAINT "exports_ready_has_file" CHECK (((status <> ALL (ARRAY['ready'::nectar.export_status, 'expired'::nectar.export_status])) OR (num_nonnulls(ready_at, expires_at, size_bytes, sha256) = 4)));

ALTER TABLE "nectar"."goals" ADD CONSTRAINT "goals_org_is_named" CHECK (((org_id IS NOT NULL) OR ((metadata_visibility <> 'org'::nectar.visibility) AND (content_visibility <> 'org'::nectar.visibility))));

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_goal_id_fkey" FOREIGN KEY (goal_id) REFERENCES nectar.goals(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."goal_contents" ADD CONSTRAINT "goal_contents_goal_id_fkey" FOREIGN KEY (goal_id) REFERENCES nectar.goals(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."goals" ADD CONSTRAINT "goals_team_is_named" CHECK (((team_id IS NOT NULL) OR ((metadata_visibility <> 'team'::nectar.visibility) AND (content_visibility <> 'team'::nectar.visibility))));

ALTER TABLE "nectar"."invitations" ADD CONSTRAINT "invitations_email_has_status" CHECK (((email IS NULL) = (email_status IS NULL)));

ALTER TABLE "nectar"."journal_entries" ADD CONSTRAINT "journal_entries_org_is_named" CHECK (((org_id IS NOT NULL) OR ((metadata_visibility <> 'org'::nectar.visibility) AND (content_visibility <> 'org'::nectar.visibility))));

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_entry_id_fkey" FOREIGN KEY (entry_id) REFERENCES nectar.journal_entries(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."entry_backgrounds" ADD CONSTRAINT "entry_backgrounds_entry_id_fkey" FOREIGN KEY (entry_id) REFERENCES nectar.journal_entries(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."entry_pictures" ADD CONSTRAINT "entry_pictures_entry_id_fkey" FOREIGN KEY (entry_id) REFERENCES nectar.journal_entries(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."journal_entries" ADD CONSTRAINT "journal_entries_team_is_named" CHECK (((team_id IS NOT NULL) OR ((metadata_visibility <> 'team'::nectar.visibility) AND (content_visibility <> 'team'::nectar.visibility))));

ALTER TABLE "nectar"."journal_entry_contents" ADD CONSTRAINT "journal_entry_contents_entry_id_fkey" FOREIGN KEY (entry_id) REFERENCES nectar.journal_entries(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."journal_imports" ADD CONSTRAINT "journal_imports_version" CHECK (((status <> 'running'::nectar.import_status) OR (version IS NOT NULL)));

ALTER TABLE "nectar"."moderation_appeals" ADD CONSTRAINT "moderation_appeals_decided_has_answer" CHECK (((status = 'open'::nectar.appeal_status) = (answer IS NULL)));

ALTER TABLE "nectar"."moderation_appeals" ADD CONSTRAINT "moderation_appeals_decided_has_time" CHECK (((status = 'open'::nectar.appeal_status) = (decided_at IS NULL)));

ALTER TABLE "nectar"."moderation_appeals" ADD CONSTRAINT "moderation_appeals_decision_id_fkey" FOREIGN KEY (decision_id) REFERENCES nectar.moderation_decisions(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."moderation_decisions" ADD CONSTRAINT "moderation_decisions_suspension_has_end" CHECK (((decision = 'suspend'::nectar.moderation_decision) = (suspended_until IS NOT NULL)));

ALTER TABLE "nectar"."moderation_decisions" ADD CONSTRAINT "moderation_decisions_user_is_not_hidden" CHECK (((decision <> 'hide'::nectar.moderation_decision) OR (target_type <> 'user'::text)));

ALTER TABLE "nectar"."monthly_drop_awards" ADD CONSTRAINT "monthly_drop_awards_transaction_id_fkey" FOREIGN KEY (transaction_id) REFERENCES nectar.drop_transactions(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."mosaic_sections" ADD CONSTRAINT "mosaic_sections_date_fkey" FOREIGN KEY (date) REFERENCES nectar.mosaics(date) ON DELETE CASCADE;

ALTER TABLE "nectar"."note_analysis_sources" ADD CONSTRAINT "note_analysis_sources_analysis_id_fkey" FOREIGN KEY (analysis_id) REFERENCES nectar.note_analyses(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."notebooks" ADD CONSTRAINT "notebooks_org_is_named" CHECK (((org_id IS NOT NULL) OR ((metadata_visibility <> 'org'::nectar.visibility) AND (content_visibility <> 'org'::nectar.visibility))));

ALTER TABLE "nectar"."notebook_contents" ADD CONSTRAINT "notebook_contents_notebook_id_fkey" FOREIGN KEY (notebook_id) REFERENCES nectar.notebooks(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."notebooks" ADD CONSTRAINT "notebooks_team_is_named" CHECK (((team_id IS NOT NULL) OR ((metadata_visibility <> 'team'::nectar.visibility) AND (content_visibility <> 'team'::nectar.visibility))));

ALTER TABLE "nectar"."member_names" ADD CONSTRAINT "member_names_of_members" FOREIGN KEY (org_id, user_id) REFERENCES nectar.organization_members(org_id, user_id) ON DELETE CASCADE;

ALTER TABLE "nectar"."goals" ADD CONSTRAINT "goals_org_id_fkey" FOREIGN KEY (org_id) REFERENCES nectar.organizations(id);

ALTER TABLE "nectar"."invitations" ADD CONSTRAINT "invitations_org_id_fkey" FOREIGN KEY (org_id) REFERENCES nectar.organizations(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."notebooks" ADD CONSTRAINT "notebooks_org_id_fkey" FOREIGN KEY (org_id) REFERENCES nectar.organizations(id);

ALTER TABLE "nectar"."organization_members" ADD CONSTRAINT "organization_members_org_id_fkey" FOREIGN KEY (org_id) REFERENCES nectar.organizations(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."personal_tokens" ADD CONSTRAINT "personal_tokens_scopes_count" CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 14)));

ALTER TABLE "nectar"."profiles" ADD CONSTRAINT "profiles_id_fkey" FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."badge_milestones" ADD CONSTRAINT "badge_milestones_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."blocks" ADD CONSTRAINT "blocks_blocked_id_fkey" FOREIGN KEY (blocked_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."chains" ADD CONSTRAINT "chains_after_user_id_fkey" FOREIGN KEY (after_user_id) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."chains" ADD CONSTRAINT "chains_before_user_id_fkey" FOREIGN KEY (before_user_id) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."chains" ADD CONSTRAINT "chains_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."drop_transactions" ADD CONSTRAINT "drop_transactions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."encouragement_allowances" ADD CONSTRAINT "encouragement_allowances_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_recipient_id_fkey" FOREIGN KEY (recipient_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."encouragement_drops" ADD CONSTRAINT "encouragement_drops_sender_id_fkey" FOREIGN KEY (sender_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."goal_contents" ADD CONSTRAINT "goal_contents_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."journal_imports" ADD CONSTRAINT "journal_imports_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."moderation_appeals" ADD CONSTRAINT "moderation_appeals_decided_by_fkey" FOREIGN KEY (decided_by) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."moderation_appeals" ADD CONSTRAINT "moderation_appeals_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."moderation_decisions" ADD CONSTRAINT "moderation_decisions_decided_by_fkey" FOREIGN KEY (decided_by) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."moderation_decisions" ADD CONSTRAINT "moderation_decisions_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."monthly_drop_awards" ADD CONSTRAINT "monthly_drop_awards_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."mosaic_sections" ADD CONSTRAINT "mosaic_sections_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."note_analyses" ADD CONSTRAINT "note_analyses_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."note_analysis_sources" ADD CONSTRAINT "note_analysis_sources_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."notebook_contents" ADD CONSTRAINT "notebook_contents_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."notifications" ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."organization_members" ADD CONSTRAINT "organization_members_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."organizations" ADD CONSTRAINT "organizations_received_from_fkey" FOREIGN KEY (received_from) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."personal_tokens" ADD CONSTRAINT "personal_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."reports" ADD CONSTRAINT "reports_decision_id_fkey" FOREIGN KEY (decision_id) REFERENCES nectar.moderation_decisions(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."reports" ADD CONSTRAINT "reports_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."reports" ADD CONSTRAINT "reports_reporter_id_fkey" FOREIGN KEY (reporter_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."chains" ADD CONSTRAINT "chains_squad_id_fkey" FOREIGN KEY (squad_id) REFERENCES nectar.squads(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."squads" ADD CONSTRAINT "squads_user_1_id_fkey" FOREIGN KEY (user_1_id) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."squads" ADD CONSTRAINT "squads_user_2_id_fkey" FOREIGN KEY (user_2_id) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."squads" ADD CONSTRAINT "squads_user_3_id_fkey" FOREIGN KEY (user_3_id) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."subscriptions" ADD CONSTRAINT "subscriptions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."synthetic_users" ADD CONSTRAINT "synthetic_users_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."team_colors" ADD CONSTRAINT "team_colors_pkey" PRIMARY KEY (week_start_date, user_id) INCLUDE (color);

ALTER TABLE "nectar"."team_colors" ADD CONSTRAINT "team_colors_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."team_members" ADD CONSTRAINT "team_members_are_organization_members" FOREIGN KEY (org_id, user_id) REFERENCES nectar.organization_members(org_id, user_id) ON DELETE CASCADE;

ALTER TABLE "nectar"."team_messages" ADD CONSTRAINT "team_messages_squad_id_fkey" FOREIGN KEY (squad_id) REFERENCES nectar.squads(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."team_members" ADD CONSTRAINT "team_members_team" FOREIGN KEY (team_id, org_id) REFERENCES nectar.teams(id, org_id) ON DELETE CASCADE;

ALTER TABLE "nectar"."teams" ADD CONSTRAINT "teams_org_id_fkey" FOREIGN KEY (org_id) REFERENCES nectar.organizations(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."goals" ADD CONSTRAINT "goals_team_id_fkey" FOREIGN KEY (team_id) REFERENCES nectar.teams(id);

ALTER TABLE "nectar"."notebooks" ADD CONSTRAINT "notebooks_team_id_fkey" FOREIGN KEY (team_id) REFERENCES nectar.teams(id);

ALTER TABLE "nectar"."team_messages" ADD CONSTRAINT "team_messages_team_id_fkey" FOREIGN KEY (team_id) REFERENCES nectar.teams(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."tone_pack_purchases" ADD CONSTRAINT "tone_pack_purchases_transaction_id_fkey" FOREIGN KEY (transaction_id) REFERENCES nectar.drop_transactions(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."tone_pack_purchases" ADD CONSTRAINT "tone_pack_purchases_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."tone_pack_shares" ADD CONSTRAINT "tone_pack_shares_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."accounts" ADD CONSTRAINT "accounts_active_tone_pack_id_fkey" FOREIGN KEY (active_tone_pack_id) REFERENCES nectar.tone_packs(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."tone_pack_purchases" ADD CONSTRAINT "tone_pack_purchases_pack_id_fkey" FOREIGN KEY (pack_id) REFERENCES nectar.tone_packs(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."entry_pictures" ADD CONSTRAINT "entry_pictures_trashed_entry_id_fkey" FOREIGN KEY (trashed_entry_id) REFERENCES nectar.trashed_entries(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."trashed_entries" ADD CONSTRAINT "trashed_entries_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."user_badges" ADD CONSTRAINT "user_badges_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."user_roles" ADD CONSTRAINT "user_roles_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."weekly_workout_stats" ADD CONSTRAINT "weekly_workout_stats_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."wellness_entries" ADD CONSTRAINT "wellness_entries_action_note_has_content" CHECK ((((type = 'action_note'::nectar.wellness_type) = (content IS NOT NULL)) AND ((char_length(content) >= 1) AND (char_length(content) <= 5000))));

ALTER TABLE "nectar"."wellness_entries" ADD CONSTRAINT "wellness_entries_notes_length" CHECK (((notes IS NULL) OR ((type <> 'action_note'::nectar.wellness_type) AND ((char_length(notes) >= 1) AND (char_length(notes) <= 2000)))));

ALTER TABLE "nectar"."wellness_entries" ADD CONSTRAINT "wellness_entries_quality_is_of_sleep" CHECK (((quality IS NULL) OR ((type = 'sleep'::nectar.wellness_type) AND ((quality >= 1) AND (quality <= 5)))));

ALTER TABLE "nectar"."wellness_entries" ADD CONSTRAINT "wellness_entries_satisfaction_is_rated" CHECK ((((type = 'satisfaction'::nectar.wellness_type) = (rating IS NOT NULL)) AND ((rating >= 1) AND (rating <= 10))));

ALTER TABLE "nectar"."wellness_entries" ADD CONSTRAINT "wellness_entries_sleep_has_hours" CHECK ((((type = 'sleep'::nectar.wellness_type) = (hours IS NOT NULL)) AND ((hours >= (0)::numeric) AND (hours <= (24)::numeric))));

ALTER TABLE "nectar"."workout_checkin_photos" ADD CONSTRAINT "workout_checkin_photos_flags_known" CHECK ((flags <@ (enum_range(NULL::nectar.photo_flag))::text[]));

ALTER TABLE "nectar"."workout_checkin_photos" ADD CONSTRAINT "workout_checkin_photos_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."workout_checkins" ADD CONSTRAINT "workout_checkins_chain_id_fkey" FOREIGN KEY (chain_id) REFERENCES nectar.chains(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."workout_checkins" ADD CONSTRAINT "workout_checkins_one_per_date" UNIQUE (user_id, date) INCLUDE (status);

ALTER TABLE "nectar"."workout_checkin_photos" ADD CONSTRAINT "workout_checkin_photos_checkin_id_fkey" FOREIGN KEY (checkin_id) REFERENCES nectar.workout_checkins(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."workout_checkins" ADD CONSTRAINT "workout_checkins_reviewed_by_fkey" FOREIGN KEY (reviewed_by) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

ALTER TABLE "nectar"."workout_checkins" ADD CONSTRAINT "workout_checkins_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."workout_checkins" ADD CONSTRAINT "workout_checkins_verified_has_moment" CHECK (((status <> 'verified'::nectar.checkin_status) OR (verified_at IS NOT NULL)));

ALTER TABLE "nectar"."workout_windows" ADD CONSTRAINT "workout_windows_other_is_named" CHECK (((activity_type = 'other'::nectar.activity_type) = (custom_activity IS NOT NULL)));

ALTER TABLE "nectar"."workout_windows" ADD CONSTRAINT "workout_windows_previous_is_whole" CHECK ((num_nulls(previous_activity_type, previous_window_start_time, previous_window_end_time, previous_timezone) = ANY (ARRAY[0, 4])));

ALTER TABLE "nectar"."workout_windows" ADD CONSTRAINT "workout_windows_previous_other_is_named" CHECK (((NOT (previous_activity_type IS DISTINCT FROM 'other'::nectar.activity_type)) = (previous_custom_activity IS NOT NULL)));

ALTER TABLE "private"."assistant_turns" ADD CONSTRAINT "assistant_turns_pkey" PRIMARY KEY (user_id, job);

ALTER TABLE "private"."assistant_turns" ADD CONSTRAINT "assistant_turns_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."battle_announcements" ADD CONSTRAINT "battle_announcements_week_start_date_fkey" FOREIGN KEY (week_start_date) REFERENCES nectar.battles(week_start_date) ON DELETE CASCADE;

ALTER TABLE "private"."email_messages" ADD CONSTRAINT "email_messages_delivery_has_time" CHECK (((delivery IS NULL) = (delivery_at IS NULL)));

ALTER TABLE "private"."email_messages" ADD CONSTRAINT "email_messages_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."game_notices" ADD CONSTRAINT "game_notices_pkey" PRIMARY KEY (user_id, date, kind);

ALTER TABLE "private"."game_notices" ADD CONSTRAINT "game_notices_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."imported_entries" ADD CONSTRAINT "imported_entries_pkey" PRIMARY KEY (user_id, source, external_id);

ALTER TABLE "private"."imported_entries" ADD CONSTRAINT "imported_entries_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."logged_reads" ADD CONSTRAINT "logged_reads_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."players_to_match" ADD CONSTRAINT "players_to_match_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."push_deliveries" ADD CONSTRAINT "push_deliveries_notification_id_fkey" FOREIGN KEY (notification_id) REFERENCES nectar.notifications(id) ON DELETE CASCADE;

ALTER TABLE "private"."push_deliveries" ADD CONSTRAINT "push_deliveries_subscription_id_fkey" FOREIGN KEY (subscription_id) REFERENCES nectar.push_subscriptions(id) ON DELETE CASCADE;

ALTER TABLE "private"."quota_uses" ADD CONSTRAINT "quota_uses_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "private"."unsettled_shares" ADD CONSTRAINT "unsettled_shares_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE VIEW "nectar"."drop_objects" WITH (security_invoker=true) AS  SELECT id,
    recipient_id,
    created_at,
    read_at,
    ROW(id, sender_id, ( SELECT ROW(p.id, p.full_name, p.avatar_url, (p.id = private.system_user_id()))::private.drop_sender AS "row"
           FROM nectar.profiles p
          WHERE (p.id = d.sender_id)), recipient_id, drop_type, is_custom, template_id, title, content, media_type, media_url, thumbnail_url, date_sent, private.rfc3339(created_at), private.rfc3339(read_at), entry_id, goal_id)::private.received_drop AS drop
   FROM nectar.encouragement_drops d;

CREATE VIEW "nectar"."readable_drops" WITH (security_invoker=true) AS  SELECT id,
    sender_id,
    recipient_id,
    drop_type,
    is_custom,
    template_id,
    title,
    content,
    media_type,
    media_url,
    thumbnail_url,
    date_sent,
    created_at,
    read_at,
    entry_id,
    goal_id,
        CASE
            WHEN (engagement = ANY (ARRAY['open'::nectar.engagement_state, 'engaged'::nectar.engagement_state])) THEN (engagement)::text
            ELSE 'none'::text
        END AS engagement,
    engaged_at,
    bonus_drops_awarded,
    ( SELECT json_build_object('id', p.id, 'full_name', p.full_name, 'avatar_url', p.avatar_url, 'is_assistant', (p.id = private.system_user_id())) AS json_build_object
           FROM nectar.profiles p
          WHERE (p.id = d.sender_id)) AS sender,
    ( SELECT json_build_object('id', p.id, 'full_name', p.full_name, 'avatar_url', p.avatar_url, 'is_ai', p.is_ai) AS json_build_object
           FROM nectar.profiles p
          WHERE (p.id = d.recipient_id)) AS recipient
   FROM nectar.encouragement_drops d;

CREATE VIEW "private"."audience_members" WITH (security_invoker=true) AS  SELECT m.org_id AS audience_id,
    m.user_id
   FROM nectar.organization_members m
UNION ALL
 SELECT m.team_id AS audience_id,
    m.user_id
   FROM nectar.team_members m;

CREATE VIEW "private"."next_badges" WITH (security_invoker=true) AS  SELECT d.level,
    min(h.min_engagement_increases) AS min_engagement_increases
   FROM (nectar.badge_definitions d
     JOIN nectar.badge_definitions h ON ((h.level > d.level)))
  GROUP BY d.level;

CREATE INDEX accounts_active_tone_pack ON nectar.accounts USING btree (active_tone_pack_id) WHERE (active_tone_pack_id IS NOT NULL);

CREATE INDEX accounts_closing ON nectar.accounts USING btree (erases_at) WHERE (erases_at IS NOT NULL);

CREATE INDEX accounts_email ON nectar.accounts USING btree (lower(email));

CREATE INDEX accounts_readable_by_assistant ON nectar.accounts USING btree (user_id) WHERE read_notes_enabled;

CREATE INDEX audit_events_action ON nectar.audit_events USING btree (action, created_at DESC, id DESC);

CREATE INDEX audit_events_newest_first ON nectar.audit_events USING btree (created_at DESC, id DESC);

CREATE INDEX audit_events_target ON nectar.audit_events USING btree (target_id, created_at DESC, id DESC);

CREATE INDEX battles_completed_newest_first ON nectar.battles USING btree (week_start_date DESC) WHERE (battle_status = 'completed'::nectar.battle_status);

CREATE INDEX chains_about_to_start ON nectar.chains USING btree (window_starts_at);

CREATE INDEX chains_after ON nectar.chains USING btree (after_user_id);

CREATE INDEX chains_before ON nectar.chains USING btree (before_user_id, date);

CREATE INDEX chains_of_area ON nectar.chains USING btree (date, area_key);

CREATE INDEX chains_of_squad ON nectar.chains USING btree (squad_id);

CREATE INDEX chains_of_user ON nectar.chains USING btree (user_id, date);

CREATE INDEX conversion_rates_newest_first ON nectar.conversion_rates USING btree (effective_date DESC, id DESC);

CREATE INDEX drop_templates_approved_encouragement ON nectar.drop_templates USING btree (created_at DESC, id DESC) WHERE (is_approved AND (type = 'encouragement'::nectar.encouragement_drop_type));

CREATE INDEX drop_templates_approved_media ON nectar.drop_templates USING btree (created_at DESC, id DESC) WHERE (is_approved AND (type = 'media'::nectar.encouragement_drop_type));

CREATE INDEX drop_templates_approved_science_tidbit ON nectar.drop_templates USING btree (created_at DESC, id DESC) WHERE (is_approved AND (type = 'science_tidbit'::nectar.encouragement_drop_type));

CREATE INDEX drop_templates_approved ON nectar.drop_templates USING btree (created_at DESC, id DESC) WHERE is_approved;

CREATE INDEX drop_templates_newest ON nectar.drop_templates USING btree (created_at DESC, id DESC);

CREATE INDEX drop_transactions_newest_first ON nectar.drop_transactions USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX encouragement_drops_entry ON nectar.encouragement_drops USING btree (entry_id) WHERE (entry_id IS NOT NULL);

CREATE INDEX encouragement_drops_goal ON nectar.encouragement_drops USING btree (goal_id) WHERE (goal_id IS NOT NULL);

CREATE INDEX encouragement_drops_open ON nectar.encouragement_drops USING btree (sender_id, id) WHERE (engagement = 'open'::nectar.engagement_state);

CREATE INDEX encouragement_drops_received ON nectar.encouragement_drops USING btree (recipient_id, created_at DESC, id DESC);

CREATE INDEX encouragement_drops_sent ON nectar.encouragement_drops USING btree (sender_id, created_at DESC, id DESC);

CREATE INDEX encouragement_drops_template ON nectar.encouragement_drops USING btree (template_id) WHERE (template_id IS NOT NULL);

CREATE INDEX encouragement_drops_unread ON nectar.encouragement_drops USING btree (recipient_id, created_at DESC, id DESC) WHERE (read_at IS NULL);

CREATE INDEX entry_pictures_trashed ON nectar.entry_pictures USING btree (trashed_entry_id);

CREATE INDEX exports_age ON nectar.exports USING btree (created_at);

CREATE INDEX exports_expiry ON nectar.exports USING btree (expires_at) WHERE (status = 'ready'::nectar.export_status);

CREATE INDEX goal_contents_author ON nectar.goal_contents USING btree (user_id);

CREATE INDEX goal_pauses_newest_first ON nectar.goal_pauses USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX goal_pauses_of_goal ON nectar.goal_pauses USING btree (goal_id, user_id);

CREATE INDEX goals_org ON nectar.goals USING btree (org_id) WHERE (org_id IS NOT NULL);

CREATE INDEX goals_team ON nectar.goals USING btree (team_id) WHERE (team_id IS NOT NULL);

CREATE INDEX invitations_age ON nectar.invitations USING btree (expires_at);

CREATE INDEX invitations_email ON nectar.invitations USING btree (lower(email), org_id) WHERE (email IS NOT NULL);

CREATE INDEX invitations_newest_first ON nectar.invitations USING btree (org_id, created_at DESC, id DESC);

CREATE INDEX journal_entries_notebook ON nectar.journal_entries USING btree (notebook_id, created_at DESC, id DESC) WHERE (notebook_id IS NOT NULL);

CREATE INDEX journal_entries_org ON nectar.journal_entries USING btree (org_id) WHERE (org_id IS NOT NULL);

CREATE INDEX journal_entries_team ON nectar.journal_entries USING btree (team_id) WHERE (team_id IS NOT NULL);

CREATE INDEX journal_imports_created ON nectar.journal_imports USING btree (created_at);

CREATE UNIQUE INDEX journal_imports_one_running ON nectar.journal_imports USING btree (user_id) WHERE (status = 'running'::nectar.import_status);

CREATE INDEX journal_imports_own ON nectar.journal_imports USING btree (user_id);

CREATE INDEX member_names_in_order ON nectar.member_names USING btree (org_id, full_name, user_id) WHERE (word_number = 1);

CREATE INDEX member_names_search ON nectar.member_names USING btree (org_id, search_text);

CREATE INDEX moderation_appeals_of_admin ON nectar.moderation_appeals USING btree (decided_by);

CREATE INDEX moderation_appeals_of_owner ON nectar.moderation_appeals USING btree (owner_id);

CREATE INDEX moderation_appeals_of_status ON nectar.moderation_appeals USING btree (status, created_at, id);

CREATE INDEX moderation_appeals_oldest_first ON nectar.moderation_appeals USING btree (created_at, id);

CREATE INDEX moderation_decisions_of_admin ON nectar.moderation_decisions USING btree (decided_by);

CREATE INDEX moderation_decisions_of_owner ON nectar.moderation_decisions USING btree (owner_id, decided_at DESC, id DESC);

CREATE INDEX moderation_decisions_with_photo ON nectar.moderation_decisions USING btree (decided_at) WHERE (photo_key IS NOT NULL);

CREATE UNIQUE INDEX monthly_drop_awards_transaction ON nectar.monthly_drop_awards USING btree (transaction_id);

CREATE INDEX mosaic_sections_of_user ON nectar.mosaic_sections USING btree (user_id);

CREATE INDEX mosaic_sections_pending ON nectar.mosaic_sections USING btree (date, user_id) WHERE (status = 'pending'::nectar.mosaic_status);

CREATE INDEX mosaics_pending ON nectar.mosaics USING btree (date) WHERE (pending_count > 0);

CREATE INDEX note_analysis_sources_of_entry ON nectar.note_analysis_sources USING btree (user_id, entry_id);

CREATE INDEX notebook_contents_author ON nectar.notebook_contents USING btree (user_id);

CREATE INDEX notebooks_org ON nectar.notebooks USING btree (org_id) WHERE (org_id IS NOT NULL);

CREATE INDEX notebooks_team ON nectar.notebooks USING btree (team_id) WHERE (team_id IS NOT NULL);

CREATE INDEX notification_settings_due ON nectar.notification_settings USING btree (reminder_due_at) WHERE (reminder_due_at IS NOT NULL);

CREATE INDEX notifications_newest_first ON nectar.notifications USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX notifications_read_age ON nectar.notifications USING btree (read_at) WHERE (read_at IS NOT NULL);

CREATE INDEX notifications_unread_age ON nectar.notifications USING btree (created_at) WHERE (read_at IS NULL);

CREATE UNIQUE INDEX notifications_unread_of_room ON nectar.notifications USING btree (user_id, room_id, type) WHERE ((read_at IS NULL) AND (room_id IS NOT NULL));

CREATE INDEX notifications_unread ON nectar.notifications USING btree (user_id, created_at DESC, id DESC) WHERE (read_at IS NULL);

CREATE INDEX notifications_with_name ON nectar.notifications USING btree (caused_by) WHERE (type = ANY (ARRAY['drop_received'::nectar.notification_type, 'baton_pass'::nectar.notification_type, 'battle_update'::nectar.notification_type]));

CREATE INDEX organization_members_newest_first ON nectar.organization_members USING btree (org_id, joined_at DESC, user_id DESC);

CREATE INDEX organization_members_user ON nectar.organization_members USING btree (user_id, org_id);

CREATE INDEX organizations_newest_first ON nectar.organizations USING btree (created_at DESC, id DESC);

CREATE INDEX organizations_received_from ON nectar.organizations USING btree (received_from) WHERE (received_from IS NOT NULL);

CREATE INDEX personal_tokens_age ON nectar.personal_tokens USING btree (expires_at);

CREATE INDEX personal_tokens_newest_first ON nectar.personal_tokens USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX profiles_newest_first ON nectar.profiles USING btree (created_at DESC, id DESC);

CREATE INDEX push_subscriptions_of_user ON nectar.push_subscriptions USING btree (user_id, renewed_at);

CREATE INDEX reports_of_decision ON nectar.reports USING btree (decision_id);

CREATE INDEX reports_of_owner ON nectar.reports USING btree (owner_id);

CREATE INDEX reports_of_status_and_target_type ON nectar.reports USING btree (status, target_type, created_at, id);

CREATE INDEX reports_of_status ON nectar.reports USING btree (status, created_at, id);

CREATE INDEX reports_of_target_type ON nectar.reports USING btree (target_type, created_at, id);

CREATE INDEX reports_oldest_first ON nectar.reports USING btree (created_at, id);

CREATE INDEX reports_open_of_target ON nectar.reports USING btree (target_id, target_type) WHERE (status = 'open'::text);

CREATE UNIQUE INDEX reports_open_once ON nectar.reports USING btree (reporter_id, target_id, target_type) WHERE (status = 'open'::text);

CREATE INDEX reports_own ON nectar.reports USING btree (reporter_id, created_at DESC, id DESC);

CREATE INDEX squads_of_user_1 ON nectar.squads USING btree (user_1_id);

CREATE INDEX squads_of_user_2 ON nectar.squads USING btree (user_2_id);

CREATE INDEX squads_of_user_3 ON nectar.squads USING btree (user_3_id);

CREATE INDEX subscriptions_by_customer ON nectar.subscriptions USING btree (payment_customer_id);

CREATE INDEX subscriptions_newest_first ON nectar.subscriptions USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX synthetic_users_newest_first ON nectar.synthetic_users USING btree (created_at DESC, user_id DESC);

CREATE INDEX team_colors_of_user ON nectar.team_colors USING btree (user_id);

CREATE INDEX team_members_newest_first ON nectar.team_members USING btree (team_id, joined_at DESC, user_id DESC);

CREATE INDEX team_members_organization_member ON nectar.team_members USING btree (org_id, user_id);

CREATE INDEX team_members_user ON nectar.team_members USING btree (user_id, team_id);

CREATE INDEX team_messages_newest_first ON nectar.team_messages USING btree (room_id, created_at DESC, id DESC);

CREATE INDEX team_messages_of_squad ON nectar.team_messages USING btree (squad_id) WHERE (squad_id IS NOT NULL);

CREATE INDEX team_messages_of_team ON nectar.team_messages USING btree (team_id) WHERE (team_id IS NOT NULL);

CREATE INDEX team_messages_squad_age ON nectar.team_messages USING btree (created_at) WHERE (squad_id IS NOT NULL);

CREATE INDEX teams_newest_first ON nectar.teams USING btree (org_id, created_at DESC, id DESC);

CREATE INDEX teams_of_all_newest_first ON nectar.teams USING btree (created_at DESC, id DESC);

CREATE INDEX tone_pack_purchases_buyer ON nectar.tone_pack_purchases USING btree (user_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX tone_pack_purchases_once ON nectar.tone_pack_purchases USING btree (user_id, pack_id) WHERE (refunded_at IS NULL);

CREATE INDEX tone_pack_purchases_pack ON nectar.tone_pack_purchases USING btree (pack_id);

CREATE INDEX tone_pack_shares_recipient ON nectar.tone_pack_shares USING btree (user_id, created_at DESC, pack_id DESC);

CREATE INDEX tone_packs_public ON nectar.tone_packs USING btree (created_at DESC, id DESC) WHERE is_public;

CREATE INDEX trashed_entries_newest_first ON nectar.trashed_entries USING btree (user_id, deleted_at DESC, id DESC);

CREATE INDEX user_badges_leaderboard ON nectar.user_badges USING btree (leaderboard_key, user_id) WHERE is_listed;

CREATE INDEX user_badges_recent_senders ON nectar.user_badges USING btree (last_sent_on) WHERE (last_sent_on IS NOT NULL);

CREATE INDEX weekly_workout_stats_of_user ON nectar.weekly_workout_stats USING btree (user_id, week_start_date);

CREATE INDEX workout_checkin_photos_of_user ON nectar.workout_checkin_photos USING btree (user_id);

CREATE INDEX workout_checkins_newest ON nectar.workout_checkins USING btree (created_at DESC, id DESC);

CREATE INDEX workout_checkins_of_chain ON nectar.workout_checkins USING btree (chain_id);

CREATE INDEX workout_checkins_of_date ON nectar.workout_checkins USING btree (date, created_at DESC, id DESC);

CREATE INDEX workout_checkins_of_reviewer ON nectar.workout_checkins USING btree (reviewed_by);

CREATE INDEX workout_checkins_pending ON nectar.workout_checkins USING btree (created_at DESC, id DESC) WHERE (status = 'pending'::nectar.checkin_status);

CREATE INDEX workout_checkins_rejected ON nectar.workout_checkins USING btree (created_at DESC, id DESC) WHERE (status = 'rejected'::nectar.checkin_status);

CREATE INDEX email_events_age ON private.email_events USING btree (created_at);

CREATE INDEX email_messages_age ON private.email_messages USING btree (created_at);

CREATE INDEX email_messages_by_provider_id ON private.email_messages USING btree (provider_id) WHERE (provider_id IS NOT NULL);

CREATE INDEX email_messages_of_sender ON private.email_messages USING btree (user_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX email_messages_unfinished_request ON private.email_messages USING btree (user_id, request) WHERE (request IS NOT NULL);

CREATE INDEX email_received_content_due ON private.email_received USING btree (is_verified DESC, content_due_at) WHERE (content_due_at IS NOT NULL);

CREATE INDEX email_received_newest_first ON private.email_received USING btree (created_at DESC, id DESC);

CREATE INDEX erasure_receipts_age ON private.erasure_receipts USING btree (erased_at);

CREATE INDEX game_notices_of_date ON private.game_notices USING btree (date);

CREATE INDEX idempotency_keys_age ON private.idempotency_keys USING btree (created_at);

CREATE INDEX idempotency_keys_resource ON private.idempotency_keys USING btree (resource_id) WHERE (resource_id IS NOT NULL);

CREATE INDEX job_runs_newest_first ON private.job_runs USING btree (job, started_at DESC);

CREATE UNIQUE INDEX job_runs_one_success_per_due_time ON private.job_runs USING btree (job, key, due_at) WHERE succeeded;

CREATE INDEX job_runs_succeeded ON private.job_runs USING btree (job, started_at DESC) WHERE succeeded;

CREATE INDEX logged_reads_age ON private.logged_reads USING btree (created_at);

CREATE INDEX logged_reads_of_author ON private.logged_reads USING btree (user_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX logged_reads_once_a_day ON private.logged_reads USING btree (reader_id, COALESCE(entry_id, goal_id), date);

CREATE INDEX player_areas_players ON private.player_areas USING btree (area_key);

CREATE INDEX players_to_match_of_user ON private.players_to_match USING btree (user_id);

CREATE INDEX push_deliveries_age ON private.push_deliveries USING btree (created_at);

CREATE INDEX push_deliveries_due ON private.push_deliveries USING btree (next_attempt_at) WHERE (finished_at IS NULL);

CREATE INDEX push_deliveries_of_subscription ON private.push_deliveries USING btree (subscription_id);

CREATE INDEX stored_files_to_remove_due ON private.stored_files_to_remove USING btree (remove_after);

CREATE INDEX unsettled_shares_turn ON private.unsettled_shares USING btree (settled_at, id);

CREATE INDEX unsettled_shares_user ON private.unsettled_shares USING btree (user_id);

CREATE TRIGGER users__delete_address AFTER DELETE ON auth.users FOR EACH ROW WHEN ((old.email_confirmed_at IS NOT NULL)) EXECUTE FUNCTION private.delete_address();

CREATE TRIGGER users__delete_one_at_a_time BEFORE DELETE ON auth.users FOR EACH STATEMENT EXECUTE FUNCTION private.delete_accounts_one_at_a_time();

CREATE TRIGGER users__sync_account AFTER INSERT OR UPDATE OF email, email_confirmed_at ON auth.users FOR EACH ROW EXECUTE FUNCTION private.sync_account();

CREATE TRIGGER accounts__record_erased AFTER DELETE ON nectar.accounts REFERENCING OLD TABLE AS erased FOR EACH STATEMENT EXECUTE FUNCTION private.add_erased_balances();

CREATE TRIGGER accounts__sync_settings AFTER UPDATE OF timezone, leaderboard_visible ON nectar.accounts FOR EACH ROW WHEN (((old.timezone <> new.timezone) OR (old.leaderboard_visible <> new.leaderboard_visible))) EXECUTE FUNCTION private.sync_settings();

CREATE TRIGGER accounts__touch_updated_at BEFORE UPDATE OF email, preferences, read_notes_enabled, check_in_enabled, timezone, leaderboard_visible ON nectar.accounts FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER blocks__apply AFTER INSERT ON nectar.blocks FOR EACH ROW EXECUTE FUNCTION private.apply_block();

CREATE TRIGGER blocks__delete_stored_responses AFTER DELETE ON nectar.blocks REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses_of_blocks();

CREATE TRIGGER chains__open_days AFTER INSERT ON nectar.chains REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.open_days_of_chains();

CREATE TRIGGER chains__sync_open_day AFTER DELETE OR UPDATE OF day_ends_at ON nectar.chains FOR EACH ROW EXECUTE FUNCTION private.sync_open_day();

CREATE TRIGGER drop_transactions__record_erased AFTER DELETE ON nectar.drop_transactions REFERENCING OLD TABLE AS erased FOR EACH STATEMENT EXECUTE FUNCTION private.add_erased_movements();

CREATE TRIGGER encouragement_drops__count_sent AFTER INSERT ON nectar.encouragement_drops FOR EACH ROW EXECUTE FUNCTION private.count_sent_drop();

CREATE TRIGGER entry_backgrounds__sync_file AFTER INSERT OR DELETE ON nectar.entry_backgrounds FOR EACH ROW EXECUTE FUNCTION private.sync_file_of_row('private', 'file_key');

CREATE TRIGGER entry_pictures__count AFTER INSERT OR DELETE OR UPDATE OF entry_id ON nectar.entry_pictures FOR EACH ROW EXECUTE FUNCTION private.count_pictures();

CREATE TRIGGER entry_pictures__delete_stored_responses AFTER DELETE ON nectar.entry_pictures REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER entry_pictures__sync_file AFTER INSERT OR DELETE ON nectar.entry_pictures FOR EACH ROW EXECUTE FUNCTION private.sync_file_of_row('private', 'file_key');

CREATE TRIGGER entry_pictures__sync_thumbnail AFTER INSERT OR DELETE ON nectar.entry_pictures FOR EACH ROW EXECUTE FUNCTION private.sync_file_of_row('private', 'thumbnail_key');

CREATE TRIGGER exports__discard AFTER DELETE OR UPDATE OF status ON nectar.exports FOR EACH ROW EXECUTE FUNCTION private.discard_export();

CREATE TRIGGER goal_check_ins__delete_stored_responses AFTER DELETE ON nectar.goal_check_ins REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER goal_check_ins__recount_streak_of_changed AFTER UPDATE ON nectar.goal_check_ins REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.recount_streaks_of_check_ins();

CREATE TRIGGER goal_check_ins__recount_streak_of_deleted AFTER DELETE ON nectar.goal_check_ins REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.recount_streaks_of_check_ins();

CREATE TRIGGER goal_check_ins__recount_streak_of_new AFTER INSERT ON nectar.goal_check_ins REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.recount_streaks_of_check_ins();

CREATE TRIGGER goal_check_ins__send_notifications AFTER INSERT ON nectar.goal_check_ins FOR EACH ROW EXECUTE FUNCTION private.notify_of_goal_check_in();

CREATE TRIGGER goal_contents__touch_goal AFTER UPDATE OF description ON nectar.goal_contents FOR EACH ROW WHEN ((old.description IS DISTINCT FROM new.description)) EXECUTE FUNCTION private.touch_thing_of_content('goal');

CREATE TRIGGER goals__copy_audiences AFTER INSERT OR UPDATE OF metadata_visibility, content_visibility, team_id, org_id, hidden_at ON nectar.goals FOR EACH ROW EXECUTE FUNCTION private.copy_audiences('goal');

CREATE TRIGGER goals__delete_comments BEFORE DELETE ON nectar.goals FOR EACH ROW EXECUTE FUNCTION private.delete_comments();

CREATE TRIGGER goals__delete_stored_responses AFTER DELETE ON nectar.goals REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER goals__recount_streak AFTER UPDATE OF weekdays ON nectar.goals FOR EACH ROW WHEN ((old.weekdays IS DISTINCT FROM new.weekdays)) EXECUTE FUNCTION private.recount_streak();

CREATE TRIGGER goals__set_audiences BEFORE INSERT OR UPDATE OF metadata_visibility, content_visibility, team_id, org_id, hidden_at ON nectar.goals FOR EACH ROW EXECUTE FUNCTION private.set_audiences();

CREATE TRIGGER goals__touch_updated_at BEFORE UPDATE ON nectar.goals FOR EACH ROW WHEN (((old.title IS DISTINCT FROM new.title) OR (old.target_date IS DISTINCT FROM new.target_date) OR (old.status IS DISTINCT FROM new.status) OR (old.weekdays IS DISTINCT FROM new.weekdays) OR (old.comments_enabled IS DISTINCT FROM new.comments_enabled) OR (old.metadata_visibility IS DISTINCT FROM new.metadata_visibility) OR (old.content_visibility IS DISTINCT FROM new.content_visibility) OR (old.team_id IS DISTINCT FROM new.team_id) OR (old.org_id IS DISTINCT FROM new.org_id))) EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER invitations__delete_stored_responses AFTER DELETE ON nectar.invitations REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses_of_invitations();

CREATE TRIGGER invitations__record_use AFTER INSERT OR UPDATE OF revoked_at ON nectar.invitations FOR EACH ROW EXECUTE FUNCTION private.record_acting_owner();

CREATE TRIGGER journal_entries__delete_comments BEFORE DELETE ON nectar.journal_entries FOR EACH ROW EXECUTE FUNCTION private.delete_comments();

CREATE TRIGGER journal_entries__delete_findings AFTER UPDATE OF ai_excluded ON nectar.journal_entries FOR EACH ROW WHEN ((new.ai_excluded AND (NOT old.ai_excluded))) EXECUTE FUNCTION private.delete_findings();

CREATE TRIGGER journal_entries__delete_stored_responses AFTER DELETE ON nectar.journal_entries REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER journal_entries__set_audiences BEFORE INSERT OR UPDATE OF notebook_id, metadata_visibility, content_visibility, inherit_visibility, team_id, org_id, hidden_at ON nectar.journal_entries FOR EACH ROW EXECUTE FUNCTION private.set_entry_audiences();

CREATE TRIGGER journal_entry_contents__adopt_audiences BEFORE INSERT ON nectar.journal_entry_contents FOR EACH ROW EXECUTE FUNCTION private.adopt_entry_audiences();

CREATE TRIGGER journal_imports__discard AFTER DELETE ON nectar.journal_imports FOR EACH ROW EXECUTE FUNCTION private.discard_import();

CREATE TRIGGER moderation_appeals__delete_stored_responses AFTER DELETE ON nectar.moderation_appeals REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER moderation_decisions__sync_file AFTER DELETE OR UPDATE OF photo_key ON nectar.moderation_decisions FOR EACH ROW EXECUTE FUNCTION private.sync_file_of_row('private', 'photo_key');

CREATE TRIGGER mosaics__discard_image AFTER DELETE OR UPDATE OF image_key ON nectar.mosaics FOR EACH ROW EXECUTE FUNCTION private.discard_mosaic();

CREATE TRIGGER notebook_contents__touch_notebook AFTER UPDATE OF template ON nectar.notebook_contents FOR EACH ROW WHEN ((old.template IS DISTINCT FROM new.template)) EXECUTE FUNCTION private.touch_thing_of_content('notebook');

CREATE TRIGGER notebooks__copy_audiences AFTER INSERT OR UPDATE OF metadata_visibility, content_visibility, team_id, org_id, hidden_at ON nectar.notebooks FOR EACH ROW EXECUTE FUNCTION private.copy_audiences('notebook');

CREATE TRIGGER notebooks__delete_stored_responses AFTER DELETE ON nectar.notebooks REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER notebooks__set_audiences BEFORE INSERT OR UPDATE OF metadata_visibility, content_visibility, team_id, org_id, hidden_at ON nectar.notebooks FOR EACH ROW EXECUTE FUNCTION private.set_audiences();

CREATE TRIGGER notebooks__settle_entries AFTER DELETE OR UPDATE OF metadata_visibility, content_visibility, team_id, org_id, hidden_at ON nectar.notebooks FOR EACH ROW EXECUTE FUNCTION private.settle_notebook();

CREATE TRIGGER notebooks__touch_updated_at BEFORE UPDATE ON nectar.notebooks FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.description IS DISTINCT FROM new.description) OR (old.metadata_visibility IS DISTINCT FROM new.metadata_visibility) OR (old.content_visibility IS DISTINCT FROM new.content_visibility) OR (old.team_id IS DISTINCT FROM new.team_id) OR (old.org_id IS DISTINCT FROM new.org_id) OR (old.ai_excluded_default IS DISTINCT FROM new.ai_excluded_default))) EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER notification_settings__plan_reminder BEFORE INSERT OR UPDATE OF reminder_time, reminder_weekdays ON nectar.notification_settings FOR EACH ROW EXECUTE FUNCTION private.plan_changed_reminder();

CREATE TRIGGER notification_settings__release_pushes AFTER UPDATE OF quiet_start, quiet_end ON nectar.notification_settings FOR EACH ROW WHEN (((old.quiet_start IS DISTINCT FROM new.quiet_start) OR (old.quiet_end IS DISTINCT FROM new.quiet_end))) EXECUTE FUNCTION private.release_pushes_of_settings();

CREATE TRIGGER notifications__queue_pushes AFTER INSERT ON nectar.notifications REFERENCING NEW TABLE AS created FOR EACH STATEMENT EXECUTE FUNCTION private.queue_pushes();

CREATE TRIGGER notifications__skip_blocked BEFORE INSERT ON nectar.notifications FOR EACH ROW WHEN (((new.caused_by IS NOT NULL) AND (new.room_id IS NULL))) EXECUTE FUNCTION private.skip_blocked_notification();

CREATE TRIGGER organization_members__keep_owner AFTER DELETE ON nectar.organization_members FOR EACH ROW EXECUTE FUNCTION private.keep_owner_in();

CREATE TRIGGER organization_members__record_use AFTER INSERT OR DELETE OR UPDATE ON nectar.organization_members FOR EACH ROW EXECUTE FUNCTION private.record_acting_owner();

CREATE TRIGGER organization_members__send_notification AFTER INSERT ON nectar.organization_members FOR EACH ROW EXECUTE FUNCTION private.notify_added_member();

CREATE TRIGGER organization_members__settle_shares AFTER INSERT OR DELETE ON nectar.organization_members FOR EACH ROW EXECUTE FUNCTION private.settle_member('org_id');

CREATE TRIGGER organization_members__write_names AFTER INSERT ON nectar.organization_members REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.write_names_of_new_members();

CREATE TRIGGER organizations__delete_stored_responses AFTER DELETE ON nectar.organizations REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER organizations__enroll_owner AFTER INSERT ON nectar.organizations FOR EACH ROW EXECUTE FUNCTION private.enroll_owner();

CREATE TRIGGER organizations__record_update BEFORE UPDATE OF name, description, settings ON nectar.organizations FOR EACH ROW EXECUTE FUNCTION private.record_organization_update();

CREATE TRIGGER organizations__settle_shares AFTER DELETE ON nectar.organizations FOR EACH ROW EXECUTE FUNCTION private.settle_deleted_group();

CREATE TRIGGER organizations__unshare BEFORE DELETE ON nectar.organizations FOR EACH ROW EXECUTE FUNCTION private.unshare('org');

CREATE TRIGGER personal_tokens__delete_stored_responses AFTER DELETE ON nectar.personal_tokens REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER profiles__give_first_badges AFTER INSERT ON nectar.profiles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.give_first_badges();

CREATE TRIGGER profiles__hand_over BEFORE DELETE ON nectar.profiles FOR EACH ROW EXECUTE FUNCTION private.hand_over_account();

CREATE TRIGGER profiles__sync_copies AFTER UPDATE OF full_name, is_ai ON nectar.profiles FOR EACH ROW WHEN (((old.full_name IS DISTINCT FROM new.full_name) OR (old.is_ai <> new.is_ai))) EXECUTE FUNCTION private.sync_profile();

CREATE TRIGGER reports__delete_stored_responses AFTER DELETE ON nectar.reports REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER squads__delete_empty AFTER UPDATE OF user_1_id, user_2_id, user_3_id ON nectar.squads FOR EACH ROW WHEN ((num_nonnulls(new.user_1_id, new.user_2_id, new.user_3_id) = 0)) EXECUTE FUNCTION private.delete_empty_squad();

CREATE TRIGGER subscriptions__sync_premium AFTER INSERT OR DELETE OR UPDATE OF status ON nectar.subscriptions FOR EACH ROW EXECUTE FUNCTION private.sync_premium();

CREATE TRIGGER team_members__hand_over AFTER DELETE ON nectar.team_members FOR EACH ROW EXECUTE FUNCTION private.hand_over_team();

CREATE TRIGGER team_members__send_notification AFTER INSERT ON nectar.team_members FOR EACH ROW EXECUTE FUNCTION private.notify_added_member();

CREATE TRIGGER team_members__settle_shares AFTER INSERT OR DELETE ON nectar.team_members FOR EACH ROW EXECUTE FUNCTION private.settle_member('team_id');

CREATE TRIGGER team_messages__count_deleted_comments AFTER DELETE ON nectar.team_messages REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_comments();

CREATE TRIGGER team_messages__count_new_comments AFTER INSERT ON nectar.team_messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_comments();

CREATE TRIGGER team_messages__delete_stored_responses AFTER DELETE ON nectar.team_messages REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER team_messages__send_notifications AFTER INSERT ON nectar.team_messages FOR EACH ROW EXECUTE FUNCTION private.notify_of_message();

CREATE TRIGGER teams__delete_stored_responses AFTER DELETE ON nectar.teams REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER teams__record_use AFTER INSERT OR DELETE OR UPDATE ON nectar.teams FOR EACH ROW EXECUTE FUNCTION private.record_use_by_team();

CREATE TRIGGER teams__settle_shares AFTER DELETE ON nectar.teams FOR EACH ROW EXECUTE FUNCTION private.settle_deleted_group();

CREATE TRIGGER teams__unshare BEFORE DELETE ON nectar.teams FOR EACH ROW EXECUTE FUNCTION private.unshare('team');

CREATE TRIGGER tone_pack_images__sync_file AFTER INSERT OR DELETE OR UPDATE OF file_path ON nectar.tone_pack_images FOR EACH ROW EXECUTE FUNCTION private.sync_file_of_row('tone-packs', 'file_path');

CREATE TRIGGER tone_pack_purchases__delete_images AFTER DELETE ON nectar.tone_pack_purchases REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.delete_images_of_purchases();

CREATE TRIGGER tone_pack_shares__clear_active AFTER DELETE ON nectar.tone_pack_shares FOR EACH ROW EXECUTE FUNCTION private.end_tone_pack_share();

CREATE TRIGGER tone_packs__clear_active AFTER UPDATE OF is_public, deleted_at ON nectar.tone_packs FOR EACH ROW WHEN (((old.is_public AND (NOT new.is_public)) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)))) EXECUTE FUNCTION private.clear_active_tone_pack();

CREATE TRIGGER tone_packs__clear_deleted BEFORE DELETE ON nectar.tone_packs FOR EACH ROW EXECUTE FUNCTION private.clear_removed_tone_pack();

CREATE TRIGGER tone_packs__touch_updated_at BEFORE UPDATE ON nectar.tone_packs FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.description IS DISTINCT FROM new.description) OR (old.theme IS DISTINCT FROM new.theme) OR (old.is_public IS DISTINCT FROM new.is_public) OR (old.price_drops IS DISTINCT FROM new.price_drops))) EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER trashed_entries__delete_comments BEFORE DELETE ON nectar.trashed_entries FOR EACH ROW EXECUTE FUNCTION private.delete_comments();

CREATE TRIGGER trashed_entries__discard_background AFTER DELETE ON nectar.trashed_entries FOR EACH ROW WHEN ((old.background_file IS NOT NULL)) EXECUTE FUNCTION private.sync_file_of_row('private', 'background_file');

CREATE TRIGGER user_locations__update_area AFTER INSERT OR DELETE OR UPDATE ON nectar.user_locations FOR EACH ROW EXECUTE FUNCTION private.update_player_area();

CREATE TRIGGER wellness_entries__delete_stored_responses AFTER DELETE ON nectar.wellness_entries REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION private.delete_stored_responses();

CREATE TRIGGER workout_checkin_photos__discard_file AFTER DELETE ON nectar.workout_checkin_photos FOR EACH ROW EXECUTE FUNCTION private.sync_file_of_row('private', 'photo_key');

CREATE TRIGGER workout_windows__touch_updated_at BEFORE UPDATE ON nectar.workout_windows FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER workout_windows__update_area AFTER INSERT OR UPDATE ON nectar.workout_windows FOR EACH ROW EXECUTE FUNCTION private.update_player_area();

CREATE POLICY "a person edits their own settings" ON "nectar"."accounts" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own account" ON "nectar"."accounts" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service lists accounts" ON "nectar"."accounts" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a super admin reads the audit log" ON "nectar"."audit_events" FOR SELECT TO "nectar_user" USING (( SELECT private.is_super_admin() AS is_super_admin));

CREATE POLICY "everyone signed in sees the badges there are" ON "nectar"."badge_definitions" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "everyone signed in sees a person's milestones" ON "nectar"."badge_milestones" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "everyone signed in sees battles" ON "nectar"."battles" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service sees battles" ON "nectar"."battles" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "everyone signed in sees the chains" ON "nectar"."chains" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service sees the chains" ON "nectar"."chains" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a super admin sees the rates" ON "nectar"."conversion_rates" FOR SELECT TO "nectar_user" USING (( SELECT private.is_super_admin() AS is_super_admin));

CREATE POLICY "the service reads the rates" ON "nectar"."conversion_rates" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "an admin changes templates" ON "nectar"."drop_templates" FOR UPDATE TO "nectar_user" USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "an admin creates templates" ON "nectar"."drop_templates" FOR INSERT TO "nectar_user" WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "an admin deletes templates" ON "nectar"."drop_templates" FOR DELETE TO "nectar_user" USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "an approved template is seen by all, any by admins" ON "nectar"."drop_templates" FOR SELECT TO "nectar_user" USING (((is_approved AND (( SELECT private.actor_id() AS actor_id) IS NOT NULL)) OR ( SELECT private.is_admin() AS is_admin)));

CREATE POLICY "a person sees their own movements" ON "nectar"."drop_transactions" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own allowance" ON "nectar"."encouragement_allowances" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "an admin changes the rules" ON "nectar"."encouragement_config" FOR UPDATE TO "nectar_user" USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "everyone signed in reads the rules" ON "nectar"."encouragement_config" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the recipient marks a drop as read" ON "nectar"."encouragement_drops" FOR UPDATE TO "nectar_user" USING ((recipient_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the sender sees a drop, and the recipient unless it is hidden" ON "nectar"."encouragement_drops" FOR SELECT TO "nectar_user" USING (
CASE
    WHEN (recipient_id = ( SELECT private.actor_id() AS actor_id)) THEN (hidden_at IS NULL)
    ELSE (sender_id = ( SELECT private.actor_id() AS actor_id))
END);

CREATE POLICY "the service removes exports of more than a month ago" ON "nectar"."exports" FOR DELETE TO "nectar_service" USING ((created_at < (now() - '30 days'::interval)));

CREATE POLICY "the service sees exports" ON "nectar"."exports" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a description is seen by its owner and both its audiences" ON "nectar"."goal_contents" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (private.is_reached(metadata_audience_id, user_id, ( SELECT private.my_audiences() AS my_audiences), ( SELECT private.blocked_users() AS blocked_users)) AND ((content_audience_id = metadata_audience_id) OR (content_audience_id = private.public_audience()) OR (content_audience_id = ANY (( SELECT private.my_audiences() AS my_audiences)::uuid[])))) OR ( SELECT private.sees_unshared() AS sees_unshared)));

CREATE POLICY "the owner edits a description" ON "nectar"."goal_contents" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees the pauses of their own goals" ON "nectar"."goal_pauses" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the owner revokes invitations and records their mail" ON "nectar"."invitations" FOR UPDATE TO "nectar_user" USING (((org_id IN ( SELECT private.my_owned_organization_ids() AS my_owned_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "the owner sees the invitations of an organization" ON "nectar"."invitations" FOR SELECT TO "nectar_user" USING (((org_id IN ( SELECT private.my_owned_organization_ids() AS my_owned_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "the service removes invitations that expired a month ago" ON "nectar"."invitations" FOR DELETE TO "nectar_service" USING ((expires_at < (now() - '30 days'::interval)));

CREATE POLICY "the service sees the age of invitations" ON "nectar"."invitations" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person sees their imports" ON "nectar"."journal_imports" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service deletes old imports" ON "nectar"."journal_imports" FOR DELETE TO "nectar_service" USING ((created_at < (now() - '30 days'::interval)));

CREATE POLICY "the service sees imports" ON "nectar"."journal_imports" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "members see each other's names" ON "nectar"."member_names" FOR SELECT TO "nectar_user" USING (((org_id IN ( SELECT private.my_organization_ids() AS my_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "a person sees their own appeals" ON "nectar"."moderation_appeals" FOR SELECT TO "nectar_user" USING ((owner_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service sees appeals" ON "nectar"."moderation_appeals" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "an owner sees decisions that are not dismissals" ON "nectar"."moderation_decisions" FOR SELECT TO "nectar_user" USING (((owner_id = ( SELECT private.actor_id() AS actor_id)) AND (decision <> 'dismiss'::nectar.moderation_decision)));

CREATE POLICY "the service sees decisions" ON "nectar"."moderation_decisions" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person sees their own awards" ON "nectar"."monthly_drop_awards" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "everyone signed in sees sections of mosaics" ON "nectar"."mosaic_sections" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service sees sections of mosaics" ON "nectar"."mosaic_sections" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "everyone signed in sees mosaics" ON "nectar"."mosaics" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service sees mosaics" ON "nectar"."mosaics" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person deletes their own analyses" ON "nectar"."note_analyses" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own analyses" ON "nectar"."note_analyses" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees what their analyses read" ON "nectar"."note_analysis_sources" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a template is seen by its author and both its audiences" ON "nectar"."notebook_contents" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (private.is_reached(metadata_audience_id, user_id, ( SELECT private.my_audiences() AS my_audiences), ( SELECT private.blocked_users() AS blocked_users)) AND ((content_audience_id = metadata_audience_id) OR (content_audience_id = private.public_audience()) OR (content_audience_id = ANY (( SELECT private.my_audiences() AS my_audiences)::uuid[]))))));

CREATE POLICY "the author edits a template" ON "nectar"."notebook_contents" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person marks their own notifications" ON "nectar"."notifications" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own notifications" ON "nectar"."notifications" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service removes old notifications" ON "nectar"."notifications" FOR DELETE TO "nectar_service" USING (((read_at < (now() - '180 days'::interval)) OR ((read_at IS NULL) AND (created_at < (now() - '400 days'::interval)))));

CREATE POLICY "the service sees the age of notifications" ON "nectar"."notifications" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "members see each other" ON "nectar"."organization_members" FOR SELECT TO "nectar_user" USING (((org_id IN ( SELECT private.my_organization_ids() AS my_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "the owner adds members" ON "nectar"."organization_members" FOR INSERT TO "nectar_user" WITH CHECK ((((org_id IN ( SELECT private.my_owned_organization_ids() AS my_owned_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)) AND private.is_human(user_id)));

CREATE POLICY "the owner changes roles" ON "nectar"."organization_members" FOR UPDATE TO "nectar_user" USING (((org_id IN ( SELECT private.my_owned_organization_ids() AS my_owned_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "the owner removes members and members leave" ON "nectar"."organization_members" FOR DELETE TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (org_id IN ( SELECT private.my_owned_organization_ids() AS my_owned_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "a person deletes their own tokens" ON "nectar"."personal_tokens" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own tokens" ON "nectar"."personal_tokens" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service removes tokens that expired a month ago" ON "nectar"."personal_tokens" FOR DELETE TO "nectar_service" USING ((expires_at < (now() - '30 days'::interval)));

CREATE POLICY "the service sees the age of tokens" ON "nectar"."personal_tokens" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person edits their own card" ON "nectar"."profiles" FOR UPDATE TO "nectar_user" USING ((id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "everyone signed in sees a person's card" ON "nectar"."profiles" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service lists cards" ON "nectar"."profiles" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person removes their own devices" ON "nectar"."push_subscriptions" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own devices" ON "nectar"."push_subscriptions" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees what they reported" ON "nectar"."reports" FOR SELECT TO "nectar_user" USING ((reporter_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service sees reports" ON "nectar"."reports" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "everyone signed in sees the squads" ON "nectar"."squads" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service sees the squads" ON "nectar"."squads" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person sees their own subscriptions" ON "nectar"."subscriptions" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service reads subscriptions" ON "nectar"."subscriptions" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service records subscriptions" ON "nectar"."subscriptions" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "the service updates subscriptions" ON "nectar"."subscriptions" FOR UPDATE TO "nectar_service" USING (true);

CREATE POLICY "a super admin sees synthetic users" ON "nectar"."synthetic_users" FOR SELECT TO "nectar_user" USING (( SELECT private.is_super_admin() AS is_super_admin));

CREATE POLICY "the service sees synthetic users" ON "nectar"."synthetic_users" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "everyone signed in sees the teams" ON "nectar"."team_colors" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service sees the teams" ON "nectar"."team_colors" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "organization members see team members" ON "nectar"."team_members" FOR SELECT TO "nectar_user" USING (((org_id IN ( SELECT private.my_organization_ids() AS my_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "team admins add members" ON "nectar"."team_members" FOR INSERT TO "nectar_user" WITH CHECK ((((team_id IN ( SELECT private.my_administered_team_ids() AS my_administered_team_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)) AND private.is_human(user_id)));

CREATE POLICY "team admins change roles, but the primary admin stays admin" ON "nectar"."team_members" FOR UPDATE TO "nectar_user" USING (((team_id IN ( SELECT private.my_administered_team_ids() AS my_administered_team_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin))) WITH CHECK ((((team_id IN ( SELECT private.my_administered_team_ids() AS my_administered_team_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)) AND ((role = 'admin'::nectar.member_role) OR (NOT private.is_primary_admin(team_id, user_id)))));

CREATE POLICY "the service removes old messages of squads" ON "nectar"."team_messages" FOR DELETE TO "nectar_service" USING (((squad_id IS NOT NULL) AND (created_at < (now() - '30 days'::interval))));

CREATE POLICY "the service sees the age of messages of squads" ON "nectar"."team_messages" FOR SELECT TO "nectar_service" USING ((squad_id IS NOT NULL));

CREATE POLICY "organization members see its teams" ON "nectar"."teams" FOR SELECT TO "nectar_user" USING (((org_id IN ( SELECT private.my_organization_ids() AS my_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "team admins delete a team" ON "nectar"."teams" FOR DELETE TO "nectar_user" USING (((id IN ( SELECT private.my_administered_team_ids() AS my_administered_team_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "team admins edit a team" ON "nectar"."teams" FOR UPDATE TO "nectar_user" USING (((id IN ( SELECT private.my_administered_team_ids() AS my_administered_team_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "the service records its calls for a person" ON "nectar"."token_usage" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "the service sees all usage" ON "nectar"."token_usage" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "an image is seen by those who see its pack" ON "nectar"."tone_pack_images" FOR SELECT TO "nectar_user" USING (private.sees_tone_pack(pack_id));

CREATE POLICY "a person sees what they bought" ON "nectar"."tone_pack_purchases" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person deletes from their own trash" ON "nectar"."trashed_entries" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own trash" ON "nectar"."trashed_entries" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service sees when trashed entries expire" ON "nectar"."trashed_entries" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "everyone signed in sees a person's badge" ON "nectar"."user_badges" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service sees every location" ON "nectar"."user_locations" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person sees their own role" ON "nectar"."user_roles" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service reads roles" ON "nectar"."user_roles" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person sees the statistics of their own weeks" ON "nectar"."weekly_workout_stats" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees where their own photos are from" ON "nectar"."workout_checkin_photos" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service sees photos" ON "nectar"."workout_checkin_photos" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "everyone signed in sees check-ins" ON "nectar"."workout_checkins" FOR SELECT TO "nectar_user" USING ((( SELECT private.actor_id() AS actor_id) IS NOT NULL));

CREATE POLICY "the service sees check-ins" ON "nectar"."workout_checkins" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service sees every window" ON "nectar"."workout_windows" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person sees their own turns" ON "private"."assistant_turns" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service sees the battles to announce" ON "private"."battle_announcements" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service reads processed mail events" ON "private"."email_events" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service records processed mail events" ON "private"."email_events" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "the service removes mail events of more than a month ago" ON "private"."email_events" FOR DELETE TO "nectar_service" USING ((created_at < (now() - '30 days'::interval)));

CREATE POLICY "a person sees the mails that they sent" ON "private"."email_messages" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service finds the mail of an event" ON "private"."email_messages" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service follows deliveries" ON "private"."email_messages" FOR UPDATE TO "nectar_service" USING (true);

CREATE POLICY "the service removes mails of more than a month ago" ON "private"."email_messages" FOR DELETE TO "nectar_service" USING ((created_at < (now() - '30 days'::interval)));

CREATE POLICY "the service reads the recipient policy" ON "private"."email_policy" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service stores the recipient policy" ON "private"."email_policy" FOR UPDATE TO "nectar_service" USING (true);

CREATE POLICY "the service adds the text of mail to us" ON "private"."email_received" FOR UPDATE TO "nectar_service" USING (true);

CREATE POLICY "the service removes mail to us of more than a month ago" ON "private"."email_received" FOR DELETE TO "nectar_service" USING ((created_at < (now() - '30 days'::interval)));

CREATE POLICY "the service sees mail to us" ON "private"."email_received" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service stores mail to us" ON "private"."email_received" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "the service reads suppressed addresses" ON "private"."email_suppressions" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service records that mail to a suppressed address failed" ON "private"."email_suppressions" FOR UPDATE TO "nectar_service" USING (true) WITH CHECK ((reason <> 'unsubscribed'::text));

CREATE POLICY "the service suppresses addresses" ON "private"."email_suppressions" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "the service reads what deleted accounts leave" ON "private"."erased_totals" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service deletes sent receipts" ON "private"."erasure_receipts" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service finds sent receipts" ON "private"."erasure_receipts" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service deletes old notices" ON "private"."game_notices" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service sees the notices" ON "private"."game_notices" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service deletes expired responses" ON "private"."idempotency_keys" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service sees the age of stored responses" ON "private"."idempotency_keys" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "no role reads what was imported" ON "private"."imported_entries" FOR SELECT TO "nectar_service" USING (false);

CREATE POLICY "the service completes job runs" ON "private"."job_runs" FOR UPDATE TO "nectar_service" USING (true);

CREATE POLICY "the service reads job runs" ON "private"."job_runs" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service records job runs" ON "private"."job_runs" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "the service removes old job runs" ON "private"."job_runs" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service notes new jobs" ON "private"."jobs" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "the service reads the known jobs" ON "private"."jobs" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service removes suspensions that have ended" ON "private"."kept_suspensions" FOR DELETE TO "nectar_service" USING ((expires_at <= now()));

CREATE POLICY "the service sees when suspensions end" ON "private"."kept_suspensions" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service sees the checkpoints" ON "private"."leaderboard_checkpoints" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service ends leases" ON "private"."leases" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service reads leases" ON "private"."leases" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service renews leases" ON "private"."leases" FOR UPDATE TO "nectar_service" USING (true);

CREATE POLICY "the service takes leases" ON "private"."leases" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "an author sees who read their things" ON "private"."logged_reads" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service removes old reads" ON "private"."logged_reads" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service sees the age of reads" ON "private"."logged_reads" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service sees the open days" ON "private"."open_days" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service reads processed events" ON "private"."payment_events" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service records processed events" ON "private"."payment_events" FOR INSERT TO "nectar_service" WITH CHECK (true);

CREATE POLICY "the service sees the areas of players" ON "private"."player_areas" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service removes matched players" ON "private"."players_to_match" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service sees the players to match" ON "private"."players_to_match" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service removes old deliveries" ON "private"."push_deliveries" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service sees the age of deliveries" ON "private"."push_deliveries" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "a person sees what they used" ON "private"."quota_uses" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the service deletes the notes of removed files" ON "private"."stored_files_to_remove" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service reads which files to remove" ON "private"."stored_files_to_remove" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service deletes cancelled subscriptions" ON "private"."subscriptions_to_cancel" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service reads which subscriptions to cancel" ON "private"."subscriptions_to_cancel" FOR SELECT TO "nectar_service" USING (true);

CREATE POLICY "the service moves on in unsettled shares" ON "private"."unsettled_shares" FOR UPDATE TO "nectar_service" USING (true);

CREATE POLICY "the service removes settled shares" ON "private"."unsettled_shares" FOR DELETE TO "nectar_service" USING (true);

CREATE POLICY "the service settles shares" ON "private"."unsettled_shares" FOR SELECT TO "nectar_service" USING (true);

COMMENT ON COLUMN "nectar"."accounts"."active_tone_pack_id" IS 'The pack whose images are shown on entries. Written only by private.activate_tone_pack and by what takes a pack away, which set updated_at too.';

COMMENT ON COLUMN "nectar"."accounts"."drops_balance" IS 'In drops. Written only by private.post_drop_transaction and private.post_drop_transactions.';

COMMENT ON COLUMN "nectar"."accounts"."erases_at" IS 'When the account is due to be erased; until then the person may only read, export and restore it. null: it is not closing. Written, with the other columns of the erasure, only by private.request_erasure, private.restore_account and private.start_erasure.';

COMMENT ON COLUMN "nectar"."accounts"."erasing_since" IS 'When the erasure began, after which the account cannot be restored.';

COMMENT ON COLUMN "nectar"."accounts"."erasure_attempts" IS 'How often a run has gone on with the erasure: accounts with fewer attempts come first.';

COMMENT ON COLUMN "nectar"."accounts"."is_premium" IS 'Whether the subscription is active. Never written by a person.';

COMMENT ON COLUMN "nectar"."accounts"."suspended_until" IS 'Until then the person may read, and run only the commands that are open to suspended people. null, or in the past: not suspended. Written only by private.suspend_user.';

COMMENT ON COLUMN "nectar"."accounts"."timezone" IS 'IANA time zone.';

COMMENT ON COLUMN "nectar"."audit_events"."action" IS 'The operation in the reference, such as updateUserRole.';

COMMENT ON COLUMN "nectar"."audit_events"."changed" IS 'Names of the fields that were set.';

COMMENT ON COLUMN "nectar"."badge_milestones"."stats" IS 'What counted at that time.';

COMMENT ON COLUMN "nectar"."battles"."battle_result" IS 'Powers, rounds and the seed from which the rounds follow.';

COMMENT ON COLUMN "nectar"."battles"."daily_chips" IS 'The chips of both teams by the dates on which they were earned, of a battle that is over: objects with date, red and blue.';

COMMENT ON COLUMN "nectar"."blocks"."is_named" IS 'Whether the person could see the page of the other one when they made the block, and so their name; otherwise anyone could learn the name for an id.';

COMMENT ON COLUMN "nectar"."chains"."after_user_id" IS 'The available player whose window starts closest after this one ends.';

COMMENT ON COLUMN "nectar"."chains"."area_key" IS 'Players of the same area are matched. It says where a person lives, so only the service reads it.';

COMMENT ON COLUMN "nectar"."chains"."before_user_id" IS 'The available player whose window ends closest before this one starts.';

COMMENT ON COLUMN "nectar"."chains"."custom_activity" IS 'Set if and only if the activity is other.';

COMMENT ON COLUMN "nectar"."chains"."day_ends_at" IS 'The end of the local day on which the window ends: a photo may be uploaded until then.';

COMMENT ON COLUMN "nectar"."chains"."window_starts_at" IS 'The instant, with daylight saving of that date taken into account.';

COMMENT ON COLUMN "nectar"."drop_templates"."usage_count" IS 'How often it was sent. Written only by private.send_encouragement_drop.';

COMMENT ON COLUMN "nectar"."drop_transactions"."amount" IS 'In drops; negative when the person pays.';

COMMENT ON COLUMN "nectar"."drop_transactions"."event_key" IS 'Names the business event, so that it can be booked only once per person.';

COMMENT ON COLUMN "nectar"."encouragement_allowances"."bonus_carried" IS 'What was left of the drops earned the day before.';

COMMENT ON COLUMN "nectar"."encouragement_allowances"."bonus_earned" IS 'Drops earned on this day; the unused ones may be used on the next day.';

COMMENT ON COLUMN "nectar"."encouragement_allowances"."daily_allowance" IS 'The rule when the row was last written.';

COMMENT ON COLUMN "nectar"."encouragement_drops"."date_sent" IS 'The UTC day of created_at.';

COMMENT ON COLUMN "nectar"."encouragement_drops"."engagement" IS 'open: may still count; engaged: did; expired: did not; never: from or to a user who is not human.';

COMMENT ON COLUMN "nectar"."encouragement_drops"."engagement_until" IS 'Until then, inclusive, an entry of the recipient counts.';

COMMENT ON COLUMN "nectar"."encouragement_drops"."hidden_at" IS 'Since when the recipient does not see the drop, by a decision of an admin.';

COMMENT ON COLUMN "nectar"."encouragement_drops"."is_custom" IS 'Whether the words are the sender''s own.';

COMMENT ON COLUMN "nectar"."entry_backgrounds"."entry_id" IS 'Null if it was drawn for text that is no entry.';

COMMENT ON COLUMN "nectar"."entry_pictures"."id" IS 'Also the name of the file.';

COMMENT ON COLUMN "nectar"."entry_pictures"."size_bytes" IS 'Of both files.';

COMMENT ON COLUMN "nectar"."entry_pictures"."thumbnail_id" IS 'The name of the file with the small picture.';

COMMENT ON COLUMN "nectar"."entry_pictures"."trashed_entry_id" IS 'Set instead of entry_id while the entry is in the trash.';

COMMENT ON COLUMN "nectar"."exports"."attempts" IS 'How often building it began.';

COMMENT ON COLUMN "nectar"."exports"."claim" IS 'New for each attempt. It makes the export ready only while it is this one.';

COMMENT ON COLUMN "nectar"."goal_check_ins"."check_in_date" IS 'By the calendar of the person''s time zone.';

COMMENT ON COLUMN "nectar"."goal_contents"."comment_count" IS 'Kept by trigger: all comments on the goal, also those that not everyone sees.';

COMMENT ON COLUMN "nectar"."goal_pauses"."from_date" IS 'The day on which it was paused, or the day after it was completed or abandoned.';

COMMENT ON COLUMN "nectar"."goal_pauses"."until_date" IS 'The day on which it became active again; null until then.';

COMMENT ON COLUMN "nectar"."goals"."hidden_at" IS 'Since when only the owner sees the goal, by a decision of an admin.';

COMMENT ON COLUMN "nectar"."goals"."streak" IS 'The streak on the day of the last check-in; with the next two columns counted by private.recount_streaks.';

COMMENT ON COLUMN "nectar"."goals"."streak_ends_on" IS 'The first due day after the last check-in: the streak has ended when it is over.';

COMMENT ON COLUMN "nectar"."goals"."weekdays" IS 'The days on which it is due, ascending; 1 is Monday. Null: every day with a check-in.';

COMMENT ON COLUMN "nectar"."invitations"."email" IS 'The only address that may use it; null for a link that anyone may use.';

COMMENT ON COLUMN "nectar"."invitations"."email_status" IS 'What became of its mail; not_sent until the provider has accepted it.';

COMMENT ON COLUMN "nectar"."invitations"."team_ids" IS 'Teams of the organization that are joined too. A team that is deleted stays here, so that accepting can name it.';

COMMENT ON COLUMN "nectar"."invitations"."token_hash" IS 'SHA-256 of the token.';

COMMENT ON COLUMN "nectar"."journal_entries"."ai_excluded" IS 'Whether no model may read the entry.';

COMMENT ON COLUMN "nectar"."journal_entries"."hidden_at" IS 'Since when only the author sees the entry, by a decision of an admin.';

COMMENT ON COLUMN "nectar"."journal_entries"."inherit_visibility" IS 'Whether ''user'' means what the notebook says (true) or private (false).';

COMMENT ON COLUMN "nectar"."journal_entries"."is_imported" IS 'Whether it came with an import, so that it counts for no engagement.';

COMMENT ON COLUMN "nectar"."journal_entries"."mood" IS 'The mood that the author chose.';

COMMENT ON COLUMN "nectar"."journal_entries"."notebook_id" IS 'No foreign key, nor have team_id and org_id, so that deleting a notebook or group need not write all entries at once. The trigger checks new ones, and clears those that are gone.';

COMMENT ON COLUMN "nectar"."journal_entry_contents"."comment_count" IS 'Kept by trigger: all comments on the entry, also those that not everyone sees.';

COMMENT ON COLUMN "nectar"."journal_entry_contents"."found_mood" IS 'The mood that tone analysis found in the content, and hidden with it. It counts while the author has not chosen one.';

COMMENT ON COLUMN "nectar"."journal_entry_contents"."picture_count" IS 'How many pictures the entry has; kept by trigger.';

COMMENT ON COLUMN "nectar"."journal_imports"."is_checked" IS 'Whether the whole archive was read without a problem, so that entries are being created.';

COMMENT ON COLUMN "nectar"."journal_imports"."path" IS 'The archive in the private store.';

COMMENT ON COLUMN "nectar"."journal_imports"."starts" IS 'How often work on it began without an entry being created.';

COMMENT ON COLUMN "nectar"."journal_imports"."version" IS 'The ETag that the archive had when the import was started: what is uploaded afterwards is not imported.';

COMMENT ON COLUMN "nectar"."member_names"."full_name" IS 'As in the profile.';

COMMENT ON COLUMN "nectar"."member_names"."search_text" IS 'The name from this word on, as private.search_form writes it. Empty if the name has no word.';

COMMENT ON COLUMN "nectar"."moderation_decisions"."excerpt" IS 'From the report that the admin decided about: the thing as it was then, also if its owner has deleted it since.';

COMMENT ON COLUMN "nectar"."moderation_decisions"."owner_id" IS 'Whose the thing is; the sender of a drop or message, or the reported user.';

COMMENT ON COLUMN "nectar"."moderation_decisions"."photo_key" IS 'The path of a rejected photo that another one has replaced, kept for an appeal.';

COMMENT ON COLUMN "nectar"."moderation_decisions"."reversed_at" IS 'Since then the decision has no effect.';

COMMENT ON COLUMN "nectar"."monthly_drop_awards"."month" IS 'First day of the month, by the UTC calendar.';

COMMENT ON COLUMN "nectar"."monthly_drop_awards"."transaction_id" IS 'The movement that gave the drops.';

COMMENT ON COLUMN "nectar"."mosaics"."digest" IS 'SHA-256 of everyone''s state, to tell whether drawing it again would change anything.';

COMMENT ON COLUMN "nectar"."mosaics"."image_key" IS 'The path of the picture in the private store.';

COMMENT ON COLUMN "nectar"."mosaics"."seen_at" IS 'When the states were read; a drawing never replaces one that read them later.';

COMMENT ON COLUMN "nectar"."note_analyses"."entry_count" IS 'How many notes were read for it.';

COMMENT ON COLUMN "nectar"."note_analysis_sources"."entry_id" IS 'No foreign key, so that the row stays while the entry is in the trash, from where it may return.';

COMMENT ON COLUMN "nectar"."notebook_contents"."template" IS 'What a client puts into a new entry; null if there is none.';

COMMENT ON COLUMN "nectar"."notebooks"."ai_excluded_default" IS 'Whether no model may read new entries in it, unless their author says otherwise.';

COMMENT ON COLUMN "nectar"."notebooks"."hidden_at" IS 'Since when only the author sees the notebook, by a decision of an admin.';

COMMENT ON COLUMN "nectar"."notification_settings"."push" IS 'What the person chose for single types of notifications: {type: whether it is pushed}. See private.push_setting.';

COMMENT ON COLUMN "nectar"."notification_settings"."reminded_on" IS 'The local date of the last reminder. Kept when the reminder changes, so that a date has one at most.';

COMMENT ON COLUMN "nectar"."notification_settings"."reminder_due_at" IS 'When the reminder job looks at the row next. The job computes it; triggers set it to -infinity when the reminder or the zone changes.';

COMMENT ON COLUMN "nectar"."notification_settings"."reminder_weekdays" IS '1 is Monday.';

COMMENT ON COLUMN "nectar"."notifications"."caused_by" IS 'The person whose action it is about; null if there is none, and for what admins decide. No notification comes from a person with a block between them and the recipient. Kept when that person''s account is gone.';

COMMENT ON COLUMN "nectar"."notifications"."data" IS 'Ids that lead the app to what happened, and everything that the text of the notification says, which packages/core/people/notification-texts.ts makes from it. At most a kilobyte, so that it fits into a push message with its text. A name of a person is in full_name.';

COMMENT ON COLUMN "nectar"."notifications"."room_id" IS 'The team, squad, entry or goal whose unread messages, comments or check-ins the notification counts. Not read from data, so that no index needs a new entry when the count grows.';

COMMENT ON COLUMN "nectar"."organization_members"."acted_at" IS 'When the member first did something here as themselves: created the organization or a team, accepted the membership, shared an entry or a notebook. Null: they were added and have done nothing yet. Mail under the recipient policy `members` needs it.';

COMMENT ON COLUMN "nectar"."organization_members"."role" IS 'admin or member; organizations.owner_id says who the owner is.';

COMMENT ON COLUMN "nectar"."organizations"."is_used" IS 'Whether the owner has changed it, its members, teams or invitations since. An organization that was received and not used keeps no one from erasing their account.';

COMMENT ON COLUMN "nectar"."organizations"."received_at" IS 'When the owner received it from another one; null: they created it, or got it back.';

COMMENT ON COLUMN "nectar"."organizations"."received_from" IS 'Who owned it before the owner received it.';

COMMENT ON COLUMN "nectar"."personal_tokens"."hint" IS 'The last four characters of the token.';

COMMENT ON COLUMN "nectar"."personal_tokens"."last_used_at" IS 'Written at most once an hour.';

COMMENT ON COLUMN "nectar"."personal_tokens"."token_hash" IS 'SHA-256 of the token.';

COMMENT ON COLUMN "nectar"."push_subscriptions"."auth" IS 'Secret of 16 bytes that messages to the device are encrypted with, in base64url.';

COMMENT ON COLUMN "nectar"."push_subscriptions"."p256dh" IS 'Public key of the device: an uncompressed point of P-256 in base64url.';

COMMENT ON COLUMN "nectar"."push_subscriptions"."renewed_at" IS 'When the device subscribed for the last time.';

COMMENT ON COLUMN "nectar"."reports"."excerpt" IS 'The beginning of the thing when it was reported, as far as the reporter could see it; null for a photo.';

COMMENT ON COLUMN "nectar"."reports"."owner_id" IS 'Whose the thing is; the sender of a drop or message, or the reported user.';

COMMENT ON COLUMN "nectar"."subscriptions"."event_created" IS 'When the event with this status happened.';

COMMENT ON COLUMN "nectar"."subscriptions"."event_id" IS 'The event with this status.';

COMMENT ON COLUMN "nectar"."subscriptions"."event_rank" IS 'Orders events of the same second; below 0, the event only said that there is a subscription.';

COMMENT ON COLUMN "nectar"."subscriptions"."invoice_created" IS 'When the newest invoice was created that an event was about; null if there was none.';

COMMENT ON COLUMN "nectar"."subscriptions"."status" IS 'As the processor names it; active makes the person premium.';

COMMENT ON COLUMN "nectar"."synthetic_users"."check_in_probability" IS 'Share of days on which the window is used, 0 to 1.';

COMMENT ON COLUMN "nectar"."synthetic_users"."region" IS 'Part of the country by which shares are given, such as West Coast; not the state.';

COMMENT ON COLUMN "nectar"."synthetic_users"."seed" IS 'What the users of one call were drawn from; the same seed and shares draw the same users.';

COMMENT ON COLUMN "nectar"."team_messages"."entry_id" IS 'No foreign key, and goal_id has none either: the comments on an entry stay while it is in the trash. Triggers delete them.';

COMMENT ON COLUMN "nectar"."team_messages"."hidden_at" IS 'Set by a decision about a report: from then on only the sender and super admins see the message.';

COMMENT ON COLUMN "nectar"."token_usage"."cost_usd" IS 'Exact, from the price list at the time of the call.';

COMMENT ON COLUMN "nectar"."token_usage"."has_reply" IS 'Whether the model replied. A call without a reply sent a text as well, but counts in no sum.';

COMMENT ON COLUMN "nectar"."token_usage"."reference_type" IS 'What reference_id is the id of; the thing may be gone by now.';

COMMENT ON COLUMN "nectar"."tone_pack_images"."file_path" IS 'Path in the public bucket tone-packs.';

COMMENT ON COLUMN "nectar"."tone_pack_purchases"."transaction_id" IS 'The movement of drops that paid for it.';

COMMENT ON COLUMN "nectar"."tone_pack_shares"."by_address" IS 'Whether the owner named an address. Such a share is a row of its own that the owner knows by its id only: otherwise sharing or ending a share by user id would reveal whose address it is.';

COMMENT ON COLUMN "nectar"."tone_packs"."deleted_at" IS 'Since this time only its buyers see the pack.';

COMMENT ON COLUMN "nectar"."tone_packs"."hidden_at" IS 'Since when only the owner sees the pack, by a decision of an admin.';

COMMENT ON COLUMN "nectar"."tone_packs"."price_drops" IS 'What a new buyer pays, in drops.';

COMMENT ON COLUMN "nectar"."trashed_entries"."background_file" IS 'Path of the background in the private store.';

COMMENT ON COLUMN "nectar"."trashed_entries"."drop_ids" IS 'The encouragement drops that were about the entry.';

COMMENT ON COLUMN "nectar"."trashed_entries"."notebook_id" IS 'No foreign key, and neither have the team and the organization: they may be gone when the entry returns.';

COMMENT ON COLUMN "nectar"."user_badges"."is_ai" IS 'As in the profile.';

COMMENT ON COLUMN "nectar"."user_badges"."is_hidden" IS 'Whether the person wants not to be on the leaderboard, as in the account.';

COMMENT ON COLUMN "nectar"."user_badges"."leaderboard_key" IS 'The order of the leaderboard as one number, smaller ahead: engagements, success rate, drops sent, all falling; a tie goes by user_id.';

COMMENT ON COLUMN "nectar"."user_badges"."run_days" IS 'Length of the run of UTC days with a drop sent that ends with last_sent_on.';

COMMENT ON COLUMN "nectar"."user_badges"."success_rate" IS 'Engagements of a hundred drops sent, 0 to 100.';

COMMENT ON COLUMN "nectar"."user_locations"."ip_address" IS 'As the client reported it; nothing is looked up from it.';

COMMENT ON COLUMN "nectar"."weekly_workout_stats"."chips_earned" IS 'Chips of the week''s check-ins, whichever battle they count for.';

COMMENT ON COLUMN "nectar"."weekly_workout_stats"."is_over" IS 'Whether it was counted after the person''s last day of the week, and they were notified.';

COMMENT ON COLUMN "nectar"."wellness_entries"."hours" IS 'Hours slept, 0 to 24, rounded to two decimals.';

COMMENT ON COLUMN "nectar"."wellness_entries"."quality" IS 'Of the sleep, from 1 to 5.';

COMMENT ON COLUMN "nectar"."wellness_entries"."rating" IS 'Satisfaction from 1 to 10.';

COMMENT ON COLUMN "nectar"."workout_checkin_photos"."file_id" IS 'Names the file; a check-in that replaces a rejected one has another.';

COMMENT ON COLUMN "nectar"."workout_checkin_photos"."flags" IS 'Why an admin should look at it; empty if nothing is odd.';

COMMENT ON COLUMN "nectar"."workout_checkin_photos"."hidden_at" IS 'Since when only the owner, super admins and admins who decide see the photo, by a decision of an admin.';

COMMENT ON COLUMN "nectar"."workout_checkin_photos"."perceptual_hash" IS 'dHash: the same picture in another size or quality differs in few bits.';

COMMENT ON COLUMN "nectar"."workout_checkin_photos"."photo_key" IS 'The path of the photo in the private store.';

COMMENT ON COLUMN "nectar"."workout_checkin_photos"."taken_offset" IS 'Offset from UTC that the photo names, such as +02:00.';

COMMENT ON COLUMN "nectar"."workout_checkins"."battle_week_start" IS 'Monday of the battle that the chips count for: the week of the date, or a later one if that battle was over.';

COMMENT ON COLUMN "nectar"."workout_checkins"."chain_status" IS 'continued or broken, by the result of the previous person in the chain; follows it until a battle has ended with the chips of this check-in.';

COMMENT ON COLUMN "nectar"."workout_checkins"."date" IS 'The game date: the local date on which the window began.';

COMMENT ON COLUMN "nectar"."workout_checkins"."has_streak" IS 'Whether it is at least the seventh verified day in a row; follows reviews of the days before as chain_status follows the previous person.';

COMMENT ON COLUMN "nectar"."workout_checkins"."is_counted" IS 'Whether its battle had ended with its chips when it was rejected; if it is verified again, they stay there.';

COMMENT ON COLUMN "nectar"."workout_checkins"."is_early" IS 'Whether it was within the first 30 minutes of the window, or in the grace before it.';

COMMENT ON COLUMN "nectar"."workout_checkins"."photo_timestamp" IS 'When the photo says that it was taken; null without a photo or without a time in it.';

COMMENT ON COLUMN "nectar"."workout_checkins"."reviewed_at" IS 'When an admin last changed the status.';

COMMENT ON COLUMN "nectar"."workout_checkins"."verified_at" IS 'When it was verified for the first time.';

COMMENT ON COLUMN "nectar"."workout_windows"."away" IS 'The game dates on which the person does not play. Open at the end while they are away; all dates for a synthetic user that is switched off.';

COMMENT ON COLUMN "nectar"."workout_windows"."custom_activity" IS 'Set if and only if the activity is other.';

COMMENT ON COLUMN "nectar"."workout_windows"."effective_from" IS 'The first game date on which these values count. Before it the previous values count or, without any, there is no window.';

COMMENT ON COLUMN "nectar"."workout_windows"."previous_timezone" IS 'This and the other previous columns: the values for game dates before effective_from; null before the first change. One step back is enough because chains keep the window of their date.';

COMMENT ON COLUMN "nectar"."workout_windows"."rest_days" IS 'From which game date on the person rests on which weekdays (1 is Monday): objects with from and weekdays, oldest first.';

COMMENT ON COLUMN "nectar"."workout_windows"."timezone" IS 'IANA time zone.';

COMMENT ON COLUMN "nectar"."workout_windows"."window_end_time" IS 'Before the start if the window crosses midnight.';

COMMENT ON COLUMN "private"."assistant_turns"."analyses" IS 'Analyses that were stored that day; failed attempts are not counted here.';

COMMENT ON COLUMN "private"."assistant_turns"."attempts" IS 'Attempts of that day since the last success, counted when they begin.';

COMMENT ON COLUMN "private"."assistant_turns"."claim" IS 'Id of the claim, new each time. A claim ends the turn only while it is the claim of the turn.';

COMMENT ON COLUMN "private"."assistant_turns"."claimed_until" IS 'While it is claimed, when the claim expires; after a failure, when it may be claimed again.';

COMMENT ON COLUMN "private"."assistant_turns"."day" IS 'By the UTC calendar.';

COMMENT ON COLUMN "private"."assistant_turns"."notes_fingerprint" IS 'Their private.notes_fingerprint at that time; another one makes another analysis due.';

COMMENT ON COLUMN "private"."assistant_turns"."notes_since" IS 'The notes that the last analysis of that day read were created after this.';

COMMENT ON COLUMN "private"."assistant_turns"."notes_version" IS 'Their private.notes_version at that time.';

COMMENT ON COLUMN "private"."email_messages"."delivery" IS 'The furthest delivery that an event reported.';

COMMENT ON COLUMN "private"."email_messages"."delivery_at" IS 'When that happened, as the event says.';

COMMENT ON COLUMN "private"."email_messages"."erased_hash" IS 'The fingerprint of an erased address, which still counts and finds bounces.';

COMMENT ON COLUMN "private"."email_messages"."provider_id" IS 'The provider''s id of the mail.';

COMMENT ON COLUMN "private"."email_messages"."recipient" IS 'The address as the sender wrote it; `erased` once its account is erased.';

COMMENT ON COLUMN "private"."email_messages"."request" IS 'Fingerprint of the Idempotency-Key and body that began it, until it is sent.';

COMMENT ON COLUMN "private"."email_messages"."state" IS 'pending while it is sent to the provider; failed mails may have been sent after all, if the provider did not respond.';

COMMENT ON COLUMN "private"."email_received"."content_due_at" IS 'When the text is fetched next, or, once claimed, when the claim runs out; null when it was fetched, cannot be fetched, or 3 days passed.';

COMMENT ON COLUMN "private"."email_received"."content_fetched_at" IS 'When sender, recipients, subject and text were read from the provider; null before.';

COMMENT ON COLUMN "private"."email_received"."sender" IS 'As the event says, which is no proof.';

COMMENT ON COLUMN "private"."email_suppressions"."event_id" IS 'The event of the provider; null for an address that was unsubscribed.';

COMMENT ON COLUMN "private"."email_suppressions"."reason" IS 'suppressed: the provider has the address on its own list.';

COMMENT ON COLUMN "private"."erased_totals"."adjusted" IS 'What admins gave deleted accounts, less what they took.';

COMMENT ON COLUMN "private"."erased_totals"."balance" IS 'The balances that deleted accounts had at their end.';

COMMENT ON COLUMN "private"."erased_totals"."issued" IS 'Signup bonuses and monthly drops that deleted accounts were given.';

COMMENT ON COLUMN "private"."erased_totals"."spent" IS 'What deleted accounts paid; not negative.';

COMMENT ON COLUMN "private"."erasure_receipts"."id" IS 'Also the id of the mail, by which the provider recognizes a repeated attempt.';

COMMENT ON COLUMN "private"."game_notices"."date" IS 'The game date.';

COMMENT ON COLUMN "private"."game_notices"."window_starts_at" IS 'The start of the window that a reminder was for: after a change of the window there is another reminder.';

COMMENT ON COLUMN "private"."idempotency_keys"."body_hash" IS 'SHA-256 of the request body, to distinguish a retry from a reused key.';

COMMENT ON COLUMN "private"."idempotency_keys"."is_final" IS 'False while a command of several transactions is running. If it never ends, a response that is stored by then counts.';

COMMENT ON COLUMN "private"."idempotency_keys"."resource_id" IS 'The row that the response contains; when it is deleted, the response is deleted too.';

COMMENT ON COLUMN "private"."imported_entries"."external_id" IS 'SHA-256 of what identifies the entry in its source.';

COMMENT ON COLUMN "private"."job_runs"."due_at" IS 'When the schedule wanted the run; null for a run that an operator started. A due time is served once, also if several schedulers ask for it.';

COMMENT ON COLUMN "private"."kept_suspensions"."address_hash" IS 'See private.email_address_hash.';

COMMENT ON COLUMN "private"."logged_reads"."entry_id" IS 'Refers to no entry, as goal_id to no goal, so that the row stays when the thing is deleted.';

COMMENT ON COLUMN "private"."logged_reads"."reader_id" IS 'Refers to no account, so that the row stays when the account of the reader is deleted.';

COMMENT ON COLUMN "private"."logged_reads"."user_id" IS 'The author of the thing.';

COMMENT ON COLUMN "private"."push_deliveries"."attempts" IS 'How often it was claimed; also distinguishes the current claim from an older one.';

COMMENT ON COLUMN "private"."push_deliveries"."next_attempt_at" IS 'When it may be claimed; while it is claimed, when the claim expires.';

COMMENT ON COLUMN "private"."push_deliveries"."waited_until" IS 'The end of the quiet hours that it waits or waited for; null if it fell into none.';

COMMENT ON COLUMN "private"."unsettled_shares"."after_time" IS 'With after_id: the last entry that was written. They are written newest first.';

COMMENT ON COLUMN "private"."unsettled_shares"."settled_at" IS 'When its entries were last written. The sources take turns.';

COMMENT ON COLUMN "private"."unsettled_shares"."withdrawn_from" IS 'The audiences that may no longer see the entries.';

COMMENT ON FUNCTION "private"."accept_invitation"(bytea, uuid) IS 'Makes the caller a member of the organization of an invitation, and of those of its teams that still exist; skipped_team_ids are the others. Nullable: p_token_hash, p_invitation_id.';

COMMENT ON FUNCTION "private"."activate_tone_pack"(uuid) IS 'Makes a pack the caller''s active one (null clears it); false if the pack must be bought first. Nullable: p_pack_id.';

COMMENT ON FUNCTION "private"."actor_id"() IS 'Returns the caller: the subject of the verified token, or null.';

COMMENT ON FUNCTION "private"."add_erased_balances"() IS 'Adds the balances of deleted accounts to private.erased_totals.';

COMMENT ON FUNCTION "private"."add_erased_movements"() IS 'Adds the movements of deleted accounts to private.erased_totals.';

COMMENT ON FUNCTION "private"."adjust_drops"(uuid, integer, text) IS 'Corrects a balance, for super admins only.';

COMMENT ON FUNCTION "private"."adopt_entry_audiences"() IS 'Gives new content the author and the audiences of its entry.';

COMMENT ON FUNCTION "private"."advance_badges"(jsonb, timestamp with time zone) IS 'Adds to the counts of badges, raises levels, and returns the people that it found and whether their level rose.';

COMMENT ON FUNCTION "private"."allow_own_mail"() IS 'Allows mail to the confirmed address of the caller after it was unsubscribed.';

COMMENT ON FUNCTION "private"."analysis_for_message"(uuid) IS 'Returns the latest analysis of a person who lets the assistant read their notes and send drops; no row if there is none.';

COMMENT ON FUNCTION "private"."appeal_to_send"(nectar.moderation_appeals) IS 'Returns an appeal as the API sends it.';

COMMENT ON FUNCTION "private"."appeal_until"(timestamp with time zone) IS 'Returns the time until when a decision can be appealed.';

COMMENT ON FUNCTION "private"."apply_block"() IS 'Takes back what two people with a new block have of each other: active packs, coming games, counted messages.';

COMMENT ON FUNCTION "private"."apply_decisions"(nectar.moderation_decisions) IS 'Makes the effect of a decision agree with all decisions that were not reversed, after one was made or reversed.';

COMMENT ON FUNCTION "private"."archive_to_import"(uuid) IS 'Returns the archive of an import of the caller that may be started.';

COMMENT ON FUNCTION "private"."are_both_in"(uuid, uuid, uuid) IS 'Returns whether two people are members of an organization or a team.';

COMMENT ON FUNCTION "private"."area_key"(text, text, text) IS 'Returns the area that people are matched in: the time zone, with the city or else the region if one is known.';

COMMENT ON FUNCTION "private"."assistant_range_ends"(nectar.assistant_job, timestamp with time zone, integer) IS 'Cuts the people whose turn of the UTC day is not finished into ranges of a size, and returns the last id of each full range.';

COMMENT ON FUNCTION "private"."audience"(nectar.journal_entries, nectar.notebooks) IS 'Describes who sees metadata and content of an entry of the caller, by its audiences and its notebook (null in none).';

COMMENT ON FUNCTION "private"."audience_of"(nectar.visibility, uuid, uuid, uuid) IS 'Returns the audience of an effective visibility: the author if there is no share.';

COMMENT ON FUNCTION "private"."audiences_despite_own_blocks"(uuid) IS 'Returns the audiences by which the caller would see things of a person if the caller had blocked no one.';

COMMENT ON FUNCTION "private"."audiences_in_notebook"(uuid) IS 'Returns the audiences of the entries of a notebook that reach the caller; all for its author and for super admins.';

COMMENT ON FUNCTION "private"."audiences_of_scope"(text) IS 'Returns the audiences of the caller whose rows a list with this scope shows: all, own (none), shared or public.';

COMMENT ON FUNCTION "private"."award_monthly_batch"(date, uuid, integer) IS 'Awards the month to the next people in the order of their ids. Nullable: p_after_user_id, last_user.';

COMMENT ON FUNCTION "private"."award_monthly_drops"(timestamp with time zone) IS 'Awards the current month to the caller and returns the drops; 0 if nothing was due.';

COMMENT ON FUNCTION "private"."axes_seen_by"(uuid, nectar.journal_entries, boolean) IS 'Returns whether a person sees metadata and content of an entry or a goal.';

COMMENT ON FUNCTION "private"."badge_stats"(nectar.user_badges, timestamp with time zone) IS 'Returns the numbers of a badge that a milestone keeps.';

COMMENT ON FUNCTION "private"."battle_days"(date) IS 'Returns the chips of both teams in the battle of a week, by the dates on which they were earned.';

COMMENT ON FUNCTION "private"."battle_members"(date) IS 'Returns the members of both teams in the battle of a week: who has the color in that week, or brought chips of it from a week before.';

COMMENT ON FUNCTION "private"."battle_totals"(date) IS 'Returns chips, also by the dates on which they were earned, and members of both teams in the battle of a week.';

COMMENT ON FUNCTION "private"."blocked_users"() IS 'Returns everyone with a block between them and the caller, in either direction; some twice.';

COMMENT ON FUNCTION "private"."book_monthly_awards"(jsonb, date) IS 'Books the award of a month on those accounts that do not have it yet.';

COMMENT ON FUNCTION "private"."bootstrap_role"(uuid, text, nectar.user_role) IS 'Gives a role to the owner of a confirmed address that the environment names, unless they have one; false if there is no such account.';

COMMENT ON FUNCTION "private"."can_see_content"(uuid, uuid) IS 'Returns whether the policies show the content of an entry or a goal to the caller. Nullable: p_entry_id, p_goal_id.';

COMMENT ON FUNCTION "private"."can_see_entry"(uuid) IS 'Returns whether the policies show an entry to the caller.';

COMMENT ON FUNCTION "private"."can_see_goal"(uuid) IS 'Returns whether the policies show a goal to the caller.';

COMMENT ON FUNCTION "private"."can_see_goal_content"(uuid) IS 'Returns whether the policies show the content of a goal to the caller.';

COMMENT ON FUNCTION "private"."can_see_person"(uuid, timestamp with time zone) IS 'Returns whether the caller may see the page of a person, if there is no block between them.';

COMMENT ON FUNCTION "private"."cancel_for_erased_person"(uuid, text) IS 'Cancels a subscription later if its person was erased here.';

COMMENT ON FUNCTION "private"."cancel_note_analysis"() IS 'Ends the caller''s turn of the analysis if it is claimed or waits for another attempt, so that the current notes are not analyzed.';

COMMENT ON FUNCTION "private"."canonical_time_zone"(text) IS 'Returns the current name of a time zone in lower case: asia/kolkata for Asia/Calcutta.';

COMMENT ON FUNCTION "private"."chain_status"(uuid, date, timestamp with time zone, integer) IS 'Returns whether the chain continues after the previous person on a date.';

COMMENT ON FUNCTION "private"."change_team_admin"(uuid, uuid) IS 'Names another organization member as primary admin; the old one stays as member.';

COMMENT ON FUNCTION "private"."change_user_role"(uuid, nectar.user_role) IS 'Changes the service-wide role of a human, for super admins only.';

COMMENT ON FUNCTION "private"."check_entry_date"() IS 'Requires that an entry is about a day from 1900 to tomorrow in the time zone of its author.';

COMMENT ON FUNCTION "private"."check_import_batch"(uuid, integer, jsonb) IS 'Records how many entries of a running import were found so far, and returns the external ids that its person has already.';

COMMENT ON FUNCTION "private"."check_in"(jsonb, timestamp with time zone, integer) IS 'Writes the caller''s check-in (private.record_check_in) and returns it.';

COMMENT ON FUNCTION "private"."check_in_details"(uuid[]) IS 'Returns what only some people may see of check-ins, for those of which the caller may see any of it.';

COMMENT ON FUNCTION "private"."check_ins_of"(uuid[], date) IS 'Returns the check-ins of people on a date as the caller may see them, newest first.';

COMMENT ON FUNCTION "private"."check_ins_to_recount"(jsonb) IS 'Returns the check-ins that depend on results of people on dates.';

COMMENT ON FUNCTION "private"."check_moment"(timestamp with time zone) IS 'Raises service.unexpected unless the moment is now, give or take private.moment_tolerance().';

COMMENT ON FUNCTION "private"."chip_breakdown"(nectar.checkin_status, nectar.chain_status, boolean, boolean) IS 'Returns the chips of a check-in: 1, plus 1 if the chain continues, 0.5 if it is early, 2 with a streak; earned is the sum rounded down.';

COMMENT ON FUNCTION "private"."claim_assistant_turn"(uuid, nectar.assistant_job, uuid, timestamp with time zone, timestamp with time zone) IS 'Claims one turn of a person, unless something changed since it was looked at.';

COMMENT ON FUNCTION "private"."claim_assistant_turns"(nectar.assistant_job, timestamp with time zone, uuid, integer, uuid) IS 'Claims turns for a job of the assistant: those of the next people, in the order of ids and up to a last one, who are due for it on the UTC day of a moment. Nullable: p_after_user_id, last_user.';

COMMENT ON FUNCTION "private"."claim_erasure_receipt"(boolean, timestamp with time zone) IS 'Claims the receipt that is to be mailed next for 2 minutes; no row if there is none.';

COMMENT ON FUNCTION "private"."claim_export"(uuid, integer) IS 'Counts that building a pending export begins, and returns what it needs to know; no row if it is not pending.';

COMMENT ON FUNCTION "private"."claim_import"(uuid) IS 'Counts that work on a running import begins, and returns what it needs to know; no row if it does not run any more.';

COMMENT ON FUNCTION "private"."claim_picture_upload"(text) IS 'Lets an upload of the caller be removed, because it became a picture; false if it was used before or is too old.';

COMMENT ON FUNCTION "private"."claim_push_deliveries"(integer, integer, integer, timestamp with time zone) IS 'Claims due deliveries, longest due first, for a number of seconds.';

COMMENT ON FUNCTION "private"."claim_received_email"(timestamp with time zone) IS 'Claims the mail to us whose text is due next, verified ones first, until its next attempt is due; no row if nothing is due.';

COMMENT ON FUNCTION "private"."clear_active_tone_pack"() IS 'Clears a deleted or no longer public pack for people who may not use it for another reason.';

COMMENT ON FUNCTION "private"."clear_blocked_tone_packs"(nectar.blocks) IS 'Clears the active packs that two people have of each other after a block, unless they were bought or shared before.';

COMMENT ON FUNCTION "private"."clear_removed_tone_pack"() IS 'Clears a pack that is deleted with its owner''s account for everyone.';

COMMENT ON FUNCTION "private"."close_days"(timestamp with time zone, integer) IS 'Closes at most p_max days that are over where their players live, the oldest first, and returns what they count as.';

COMMENT ON FUNCTION "private"."confirmed_address"(uuid) IS 'Returns the address of a person if they have confirmed it, else null.';

COMMENT ON FUNCTION "private"."consume_quota"(text, integer) IS 'Counts units of the caller against a quota, or nothing if that would exceed it; returns 0 or the seconds until the period ends.';

COMMENT ON FUNCTION "private"."content_audience"(uuid, uuid, uuid) IS 'Returns one id for the readers who belong to both audiences of a content: one of the two, the author, or an id that stands for two groups.';

COMMENT ON FUNCTION "private"."content_keys"(uuid, text, text) IS 'Returns what journal_entry_contents_search contains for a content.';

COMMENT ON FUNCTION "private"."continue_suspension"(uuid) IS 'Suspends an account whose address is confirmed for as long as an erased account with this address would be.';

COMMENT ON FUNCTION "private"."copy_audiences"() IS 'Copies the audiences of a thing to its content.';

COMMENT ON FUNCTION "private"."copy_entry_audiences"() IS 'Copies the audiences of an entry to its content.';

COMMENT ON FUNCTION "private"."count_comments"() IS 'Counts new and deleted comments on entries and goals.';

COMMENT ON FUNCTION "private"."count_email"(text, text, text, timestamp with time zone) IS 'Counts a mail of the caller against private.email_limits() and creates its row.';

COMMENT ON FUNCTION "private"."count_leaderboard"(timestamp with time zone, bigint, bigint) IS 'Counts how many people are ahead of each checkpoint, and returns how many checkpoints there are.';

COMMENT ON FUNCTION "private"."count_moods"(private.own_entry[]) IS 'The thousand most frequent moods of entries, each as it was last written.';

COMMENT ON FUNCTION "private"."count_pictures"() IS 'Counts the pictures of an entry whose pictures change, and closes the gap that a deleted one leaves.';

COMMENT ON FUNCTION "private"."count_players"(date, timestamp with time zone, integer) IS 'Counts the players of a date by team, with the chips of their verified check-ins; the color of check-ins without a chain is null.';

COMMENT ON FUNCTION "private"."count_readers"(uuid, uuid) IS 'Counts the humans beside the caller, who is the author, that belong to both audiences; null for the public.';

COMMENT ON FUNCTION "private"."count_sent_drop"() IS 'Counts a sent drop and the days in a row for the badge of its sender, whose level may rise.';

COMMENT ON FUNCTION "private"."count_streak"(uuid) IS 'Counts the streak of a goal on the day of its last check-in and its longest one, and finds the next day that can end it.';

COMMENT ON FUNCTION "private"."count_tags"(private.own_entry[]) IS 'The twenty most frequent tags of entries, each as it was last written.';

COMMENT ON FUNCTION "private"."count_week"(date, timestamp with time zone, integer, uuid[]) IS 'Counts a week of people and returns for how many of them that changed something.';

COMMENT ON FUNCTION "private"."count_words"(text) IS 'Counts the words of a text: what is between spaces and is not only punctuation.';

COMMENT ON FUNCTION "private"."create_appeal"(uuid, text, timestamp with time zone) IS 'Appeals a decision about a thing of the caller, and returns the appeal as the API sends it.';

COMMENT ON FUNCTION "private"."create_block"(uuid, timestamp with time zone) IS 'Blocks a person for the caller, and returns whether the block is new.';

COMMENT ON FUNCTION "private"."create_email_message"(text, text, text, timestamp with time zone) IS 'Creates the row of a mail that the caller writes, as private.count_email does. Nullable: p_request.';

COMMENT ON FUNCTION "private"."create_entry"(jsonb) IS 'Writes an entry of the caller with its content, under the policies.';

COMMENT ON FUNCTION "private"."create_export"() IS 'Creates a pending export of the caller and returns its id.';

COMMENT ON FUNCTION "private"."create_import"(nectar.import_source, integer) IS 'Creates an import of the caller, whose archive is expected in the store for a day.';

COMMENT ON FUNCTION "private"."create_report"(jsonb, timestamp with time zone) IS 'Reports a thing for the caller, and returns the report, or the open one of the same thing (is_new false).';

COMMENT ON FUNCTION "private"."create_synthetic_users"(jsonb, text) IS 'Creates synthetic users, at most a thousand, for super admins only.';

COMMENT ON FUNCTION "private"."create_token"(text, nectar.token_scope[], bytea, text, integer) IS 'Creates a token of the caller, notifies them, and returns its id.';

COMMENT ON FUNCTION "private"."current_run"(integer, date, timestamp with time zone) IS 'Returns the run of UTC days with a drop sent, as long as it ends at a moment''s day or the day before; else 0.';

COMMENT ON FUNCTION "private"."current_streak"(uuid, integer, date, timestamp with time zone) IS 'Returns the streak of a goal of a person at a moment; 0 if a due day without a check-in is over.';

COMMENT ON FUNCTION "private"."date_of"(uuid, timestamp with time zone) IS 'Returns the date of a moment in the time zone of a person''s profile; in UTC if the caller may not see the account.';

COMMENT ON FUNCTION "private"."day_state"(nectar.checkin_status, timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer) IS 'Returns the state of a person''s game day: that of the check-in, or by the time if there is none (p_status is null).';

COMMENT ON FUNCTION "private"."decline_invitation"(uuid) IS 'Revokes a pending invitation to the caller''s confirmed address.';

COMMENT ON FUNCTION "private"."decline_organization"(uuid) IS 'Hands back an organization that the caller received within the last 14 days; returns whether it still exists.';

COMMENT ON FUNCTION "private"."delete_accounts_one_at_a_time"() IS 'Makes a deletion of accounts wait until the one before has ended.';

COMMENT ON FUNCTION "private"."delete_address"() IS 'Deletes the invitations to the address of a deleted account, and the address from stored mails.';

COMMENT ON FUNCTION "private"."delete_comments"() IS 'Deletes the comments on an entry or a goal that is being deleted.';

COMMENT ON FUNCTION "private"."delete_empty_squad"() IS 'Deletes a squad once the accounts of all its members are deleted.';

COMMENT ON FUNCTION "private"."delete_findings"() IS 'Deletes the mood that a model found in an entry, and every analysis that read the entry.';

COMMENT ON FUNCTION "private"."delete_images_of_purchases"() IS 'Deletes the images of deleted packs whose last buyers have deleted their accounts.';

COMMENT ON FUNCTION "private"."delete_mail_of_address"(text) IS 'Removes the address of a deleted account from the mails that others sent to it, and what it wrote to us.';

COMMENT ON FUNCTION "private"."delete_message"(uuid, uuid, uuid, uuid, date) IS 'Deletes a message if the caller may, and returns who had sent it (null if there is none) and whether it was deleted. Nullable: p_team_id, p_entry_id, p_goal_id, p_date, sender_id.';

COMMENT ON FUNCTION "private"."delete_sign_ins"(uuid) IS 'Deletes what Supabase Auth keeps of a person without a foreign key: unfinished sign-ins, and its log with names and addresses.';

COMMENT ON FUNCTION "private"."delete_stored_responses"() IS 'Deletes the stored responses that contain a deleted row.';

COMMENT ON FUNCTION "private"."delete_stored_responses_of_blocks"() IS 'Deletes the stored responses that contain a deleted block, so that the same request blocks again.';

COMMENT ON FUNCTION "private"."delete_stored_responses_of_invitations"() IS 'Deletes the stored responses that contain a deleted invitation, or show its inviter.';

COMMENT ON FUNCTION "private"."delete_synthetic_user"(uuid, timestamp with time zone) IS 'Deletes a synthetic user with all their rows, for super admins only, and returns who was linked to them. Nullable: result.';

COMMENT ON FUNCTION "private"."delete_tone_pack"(uuid) IS 'Hides a pack of the caller from everyone but its buyers, and returns whether there was one.';

COMMENT ON FUNCTION "private"."delete_unused_images"(uuid[]) IS 'Deletes the images of deleted packs that no buyer has any more.';

COMMENT ON FUNCTION "private"."deleted_groups"(uuid, uuid) IS 'Returns those of a team and an organization that do not exist.';

COMMENT ON FUNCTION "private"."discard_archive"(nectar.journal_imports) IS 'Lets the archive of an import be removed once nothing more can be uploaded to its address.';

COMMENT ON FUNCTION "private"."discard_export"() IS 'Discards the file of an export that failed, expired or was deleted, and the stored responses that contain a deleted one.';

COMMENT ON FUNCTION "private"."discard_file"(text, text) IS 'Lets the housekeeping job remove a file whose row is gone.';

COMMENT ON FUNCTION "private"."discard_import"() IS 'Discards the archive of a deleted import, and the stored responses that contain it.';

COMMENT ON FUNCTION "private"."discard_mosaic"() IS 'Lets the image of a mosaic be deleted an hour after another one replaced it.';

COMMENT ON FUNCTION "private"."earliest_entries_of_notebook"(uuid, text, date, timestamp with time zone, uuid, date, integer) IS 'Does what private.earliest_visible_journal_entries does for one notebook.';

COMMENT ON FUNCTION "private"."earliest_public_journal_entries"(uuid[], date, timestamp with time zone, uuid, date, integer) IS 'Returns the ids of the first public rows of the table in this order, without those of some people, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."earliest_visible_journal_entries"(text, date, timestamp with time zone, uuid, date, integer) IS 'Returns the ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."effective_visibility"(nectar.visibility, uuid, uuid, uuid[]) IS 'Returns the visibility that a requested one has now; a share with a group that the author has left is void.';

COMMENT ON FUNCTION "private"."email_address_hash"(text) IS 'Returns the fingerprint under which an address is counted and suppressed; upper and lower case are the same address.';

COMMENT ON FUNCTION "private"."email_limits"() IS 'Returns how many mails a person may send in any period of this length, in total or to one recipient.';

COMMENT ON FUNCTION "private"."end_battle"(date, timestamp with time zone, jsonb) IS 'Ends a battle with its result and queues the notification of its members; does nothing if it is already over.';

COMMENT ON FUNCTION "private"."end_days"(timestamp with time zone, integer) IS 'Ends at most p_max days that are over where their players live, the oldest first, with results and notifications.';

COMMENT ON FUNCTION "private"."end_import"(uuid, jsonb) IS 'Ends a running import, with the counts and problems of the result if it has any.';

COMMENT ON FUNCTION "private"."end_tone_pack_purchase"(uuid) IS 'Ends the purchase that a movement paid for, because it was refunded.';

COMMENT ON FUNCTION "private"."end_tone_pack_share"() IS 'Clears a pack that is no longer shared for its recipient, unless they may use it for another reason.';

COMMENT ON FUNCTION "private"."end_weeks"(date, uuid[], nectar.weekly_workout_stats[]) IS 'Marks the weeks of people as over, and notifies those for whom that is new, and those of p_over.';

COMMENT ON FUNCTION "private"."enroll_owner"() IS 'Makes the creator of an organization its first member.';

COMMENT ON FUNCTION "private"."enroll_team_admin"() IS 'Makes the primary admin of a team its member with the role admin.';

COMMENT ON FUNCTION "private"."entries_within_bytes"(uuid[], bigint) IS 'Returns the first of these entries, up to the one whose visible content exceeds a number of bytes together with those before.';

COMMENT ON FUNCTION "private"."entry_candidates"(jsonb, jsonb) IS 'Returns all visible entries that may pass the filters of private.entry_page; null if there is nothing to look up. Nullable: result.';

COMMENT ON FUNCTION "private"."entry_of_picture"(uuid) IS 'Returns the entry of a picture; null if there is none. Nullable: result.';

COMMENT ON FUNCTION "private"."entry_page"(jsonb, jsonb) IS 'Returns the ids of a page of the entries that the caller may see, in order.';

COMMENT ON FUNCTION "private"."entry_page_start"(jsonb, jsonb) IS 'Returns where a page of private.entry_page begins: after its cursor, or at the end of the range that comes first.';

COMMENT ON FUNCTION "private"."entry_share"(nectar.visibility, nectar.visibility, nectar.journal_entries, nectar.notebooks, uuid[]) IS 'Returns the effective visibility and the audience of the metadata or the content of an entry.';

COMMENT ON FUNCTION "private"."erase_account"(uuid, text[], timestamp with time zone) IS 'Deletes an account whose erasure has begun and whose subscriptions were cancelled, writes the receipt and records it.';

COMMENT ON FUNCTION "private"."erase_rows"(uuid, integer) IS 'Deletes up to so many rows of an account whose erasure has begun, and returns how many; fewer if hardly any are left.';

COMMENT ON FUNCTION "private"."expect_file"(text, text) IS 'Records a file before it is stored: unless private.keep_file follows within the hour, it is removed.';

COMMENT ON FUNCTION "private"."expect_mosaic"(date) IS 'Expects a new image of a mosaic and returns its path.';

COMMENT ON FUNCTION "private"."expect_new_file"(text) IS 'Expects a new private file of the caller and returns its id and path.';

COMMENT ON FUNCTION "private"."expect_tone_image"(text) IS 'Expects an image of a tone pack of the caller; false if it is expected already.';

COMMENT ON FUNCTION "private"."expire_exports"(integer) IS 'Expires a batch of the exports whose 7 days are over, and returns how many.';

COMMENT ON FUNCTION "private"."expire_received_emails"(timestamp with time zone) IS 'Ends the attempts to fetch the text of mails to us that came more than 3 days ago, and returns how many there were.';

COMMENT ON FUNCTION "private"."expire_rejected_photos"(integer) IS 'Discards at most p_max rejected photos that nobody can appeal any more, and returns how many.';

COMMENT ON FUNCTION "private"."facts_of_check_ins"(jsonb, integer) IS 'Returns what follows for check-ins that are about to be written.';

COMMENT ON FUNCTION "private"."find_entries"(text[], boolean) IS 'Returns the ids of visible entries that may have all terms in their metadata or, if asked, in their content; some twice.';

COMMENT ON FUNCTION "private"."find_invitation"(bytea, uuid, boolean) IS 'Returns the invitation with a token, or one to the caller''s confirmed address by its id.';

COMMENT ON FUNCTION "private"."finish_export"(uuid, uuid, bigint, text) IS 'Makes an export ready and notifies its person, once; false if the claim has ended.';

COMMENT ON FUNCTION "private"."first_entry_day"() IS 'Returns the first day that an entry can be about.';

COMMENT ON FUNCTION "private"."first_instant"(timestamp without time zone, text) IS 'Returns the first instant at which the clock of a zone shows a local time, or at which the clock skips it.';

COMMENT ON FUNCTION "private"."forget_check_in_photo"(uuid) IS 'Forgets the file of a photo of the caller that was refused and is not stored.';

COMMENT ON FUNCTION "private"."gets_no_mail"(text, uuid) IS 'Returns whether an address gets no mail of a person: it is suppressed, or the person who has confirmed it blocked the sender.';

COMMENT ON FUNCTION "private"."give_first_badges"() IS 'Gives new people the first badge and its milestone.';

COMMENT ON FUNCTION "private"."give_organization"(uuid, uuid, uuid) IS 'Makes a member, whose profile is locked, the owner, and notifies them.';

COMMENT ON FUNCTION "private"."grant_encouragement_bonus"(jsonb, timestamp with time zone) IS 'Adds to the bonus that people earned on the UTC day of a moment.';

COMMENT ON FUNCTION "private"."hand_over_account"() IS 'Hands over what others need of an account that is being deleted: organizations, bought tone packs and invitations.';

COMMENT ON FUNCTION "private"."hand_over_organization"(uuid, uuid, uuid[], uuid) IS 'Gives an organization to its former owner or to its longest member among these people, or deletes it; returns whether it exists.';

COMMENT ON FUNCTION "private"."hand_over_organizations"(uuid) IS 'Gives the organizations of an owner whose account is being deleted to other human members, or deletes them.';

COMMENT ON FUNCTION "private"."hand_over_team"() IS 'Gives the team of a primary admin who leaves to the co-admin who joined first, or to the owner if they left the organization.';

COMMENT ON FUNCTION "private"."has_block"(uuid, uuid) IS 'Returns whether one of two people blocked the other.';

COMMENT ON FUNCTION "private"."has_other_range"(jsonb, jsonb) IS 'Returns whether entries are filtered by a range of times in an order of dates, or the other way around.';

COMMENT ON FUNCTION "private"."has_profile"(uuid) IS 'Returns whether an account exists.';

COMMENT ON FUNCTION "private"."has_streak"(uuid, date) IS 'Returns whether a check-in on a date is at least the seventh in a row: the six dates before it have verified check-ins.';

COMMENT ON FUNCTION "private"."has_token"(uuid, boolean) IS 'Returns whether a token exists; if asked to, locks it until the transaction ends.';

COMMENT ON FUNCTION "private"."have_notes_changed"(private.assistant_turns, timestamp with time zone) IS 'Returns whether there are recent notes, and the notes have changed since the turn''s last analysis.';

COMMENT ON FUNCTION "private"."hidden_since"(uuid, text, uuid) IS 'Returns the time since when decisions that were not reversed hide a thing; null if it is not hidden.';

COMMENT ON FUNCTION "private"."import_entries"(uuid, jsonb) IS 'Imports a batch: creates the entries that are new, and counts what was found up to it; false if the import does not run.';

COMMENT ON FUNCTION "private"."inherits_visibility"(nectar.visibility, boolean, uuid) IS 'Returns whether a visibility of an entry is that of its notebook, if it is in one: ''user'' inherits unless the entry says otherwise.';

COMMENT ON FUNCTION "private"."insert_imported"(uuid, jsonb) IS 'Writes imported entries: private, excluded from AI, and in the notebooks of their names, which are created if they are missing.';

COMMENT ON FUNCTION "private"."insert_synthetic_users"(jsonb, text) IS 'Creates a synthetic user for each element of the array, which names its id, with everything that is needed to be matched.';

COMMENT ON FUNCTION "private"."invitation_status"(timestamp with time zone, integer, integer, timestamp with time zone) IS 'Returns the status of an invitation: pending, accepted (no use is left), revoked or expired.';

COMMENT ON FUNCTION "private"."invitee"(text) IS 'Returns the person who has confirmed an address; null if there is none.';

COMMENT ON FUNCTION "private"."is_admin"() IS 'Returns whether the caller is an admin or a super admin.';

COMMENT ON FUNCTION "private"."is_all_within"(uuid[], uuid[]) IS 'Returns whether everyone who belongs to all of some audiences belongs to all of some others too, as far as private.is_within says.';

COMMENT ON FUNCTION "private"."is_blocked_by"(uuid) IS 'Returns whether a person blocked the caller.';

COMMENT ON FUNCTION "private"."is_checked_in"(uuid) IS 'Returns whether the caller''s check-in with a photo was written; waits for one that is about to be.';

COMMENT ON FUNCTION "private"."is_due"(smallint[], date) IS 'Returns whether a goal is due on a date, if there is a check-in or it has weekdays. Nullable: p_weekdays.';

COMMENT ON FUNCTION "private"."is_final_subscription_status"(text) IS 'Returns whether a subscription can never leave this status.';

COMMENT ON FUNCTION "private"."is_human"(uuid) IS 'Returns whether a person is human: false for synthetic users and for the system user, null if there is no such person. Nullable: result.';

COMMENT ON FUNCTION "private"."is_imported"(nectar.journal_imports, text, uuid) IS 'Returns whether a person has an entry of an archive already: imported before, the exported entry itself, or one in the trash.';

COMMENT ON FUNCTION "private"."is_in_scope"(text, uuid[], uuid, uuid) IS 'Returns whether a list with a scope, whose audiences are private.audiences_of_scope, shows a row that the policies allow, by its author and its audience.';

COMMENT ON FUNCTION "private"."is_in_squad"(uuid) IS 'Returns whether the caller is in a squad.';

COMMENT ON FUNCTION "private"."is_known_member"(uuid, text) IS 'Returns whether an address belongs to a member of an organization, as far as the caller knows.';

COMMENT ON FUNCTION "private"."is_mailbox_of"(text, text) IS 'Returns whether the sender or recipient of a mail, such as `Ada <ada@example.com>`, is this address.';

COMMENT ON FUNCTION "private"."is_off"(datemultirange, jsonb, date) IS 'Returns whether a person does not play on a date, because they are away or rest.';

COMMENT ON FUNCTION "private"."is_other_super_admin_left"(uuid) IS 'Returns whether there is another super admin whose account is not closing.';

COMMENT ON FUNCTION "private"."is_photo_seen"(bit) IS 'Returns whether a photo like this belongs to a check-in: its perceptual hash differs in at most four bits.';

COMMENT ON FUNCTION "private"."is_primary_admin"(uuid, uuid) IS 'Returns whether a person is the primary admin of a team.';

COMMENT ON FUNCTION "private"."is_program"() IS 'Returns whether the caller is a program with a personal token. It has no rights of an admin.';

COMMENT ON FUNCTION "private"."is_quiet"(time without time zone, time without time zone, time without time zone) IS 'Returns whether a local time is in quiet hours, which may pass midnight.';

COMMENT ON FUNCTION "private"."is_reached"(uuid, uuid, uuid[], uuid[]) IS 'Returns whether a row of an author with an audience reaches a reader with these audiences and blocks.';

COMMENT ON FUNCTION "private"."is_super_admin"() IS 'Returns whether the caller is a super admin.';

COMMENT ON FUNCTION "private"."is_unsettled"(uuid, uuid, uuid, uuid, uuid, uuid[]) IS 'Returns whether an entry may not have the audiences of a change yet.';

COMMENT ON FUNCTION "private"."is_withdrawn"(uuid, uuid, boolean, uuid, uuid[]) IS 'Returns whether an entry is no longer shared with its audience.';

COMMENT ON FUNCTION "private"."is_within"(uuid, uuid) IS 'Returns whether everyone in an audience of the caller''s entries belongs to another one too, whoever their members are.';

COMMENT ON FUNCTION "private"."job_states"(text[], timestamp with time zone) IS 'Returns the last runs of jobs, whether one is working, and the results of the last one that ended; records new names. Nullable: last_started_at, last_succeeded_at, last_results.';

COMMENT ON FUNCTION "private"."join_battle"(date) IS 'Starts the battle that a check-in counts for if it is verified now, and returns its Monday.';

COMMENT ON FUNCTION "private"."judge_push_deliveries"(uuid[], uuid[], integer, timestamp with time zone) IS 'Returns what becomes of deliveries, which are named by their notifications and devices.';

COMMENT ON FUNCTION "private"."keep_archive"(text, timestamp with time zone) IS 'Keeps the archive of an import until a time, from when on housekeeping removes it; false if it was removed before.';

COMMENT ON FUNCTION "private"."keep_file"(text, text) IS 'Keeps a stored file whose row is written.';

COMMENT ON FUNCTION "private"."keep_owner_in"() IS 'Refuses that an owner leaves before a transfer (organization.owner_cannot_leave).';

COMMENT ON FUNCTION "private"."keep_suspension"(uuid, timestamp with time zone) IS 'Keeps the suspension of an account that is about to be erased for the next one with its address.';

COMMENT ON FUNCTION "private"."kept_suspension"(uuid) IS 'Returns the time until when an erased account with a person''s confirmed address was suspended; null if none was.';

COMMENT ON FUNCTION "private"."known_zone"(text) IS 'Returns a time zone if PostgreSQL knows it, else UTC.';

COMMENT ON FUNCTION "private"."last_before_preview"(uuid) IS 'Returns the newest entry of a notebook that a preview does not look at; -infinity if it looks at all.';

COMMENT ON FUNCTION "private"."last_entry_day"(uuid) IS 'Returns the last day that an entry can be about: tomorrow in the time zone of its author.';

COMMENT ON FUNCTION "private"."latest_entries_of_notebook"(uuid, text, date, timestamp with time zone, uuid, date, integer) IS 'Does what private.latest_visible_journal_entries does for one notebook.';

COMMENT ON FUNCTION "private"."latest_public_journal_entries"(uuid[], date, timestamp with time zone, uuid, date, integer) IS 'Returns the ids of the first public rows of the table in this order, without those of some people, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."latest_visible_journal_entries"(text, date, timestamp with time zone, uuid, date, integer) IS 'Returns the ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."leaderboard_rank"(uuid) IS 'Returns a person''s rank on the leaderboard, from 1, and when the people ahead were counted.';

COMMENT ON FUNCTION "private"."leave_tone_packs_to_buyers"(uuid) IS 'Gives bought packs of an owner whose account is being deleted to the system user, for their buyers only.';

COMMENT ON FUNCTION "private"."ledger_differences"() IS 'Returns every balance, movement, monthly award and bought pack that does not agree with the others.';

COMMENT ON FUNCTION "private"."lets_assistant_serve"(nectar.accounts, nectar.assistant_job) IS 'Returns whether a person lets a job of the assistant serve them; never while their account is closing.';

COMMENT ON FUNCTION "private"."list_badges"(uuid[]) IS 'Returns the badges of people in any order.';

COMMENT ON FUNCTION "private"."list_check_ins"(date, timestamp with time zone, uuid, integer) IS 'Returns a page of the check-ins of a date as the caller may see them, newest first, after a row (its time and id).';

COMMENT ON FUNCTION "private"."list_goals"(text, nectar.goal_status, timestamp with time zone, uuid, integer, timestamp with time zone) IS 'Returns a page of the goals that the caller may see at a moment, with a status or with any if it is null, newest first, after a row (its time and id). Nullable: p_status.';

COMMENT ON FUNCTION "private"."list_leaderboard"(integer) IS 'Returns the top of the leaderboard with ranks, in order, without people with a block between them and the caller; at most 100 people.';

COMMENT ON FUNCTION "private"."list_messages"(uuid, timestamp with time zone, uuid, integer) IS 'Returns a page of the messages of a room that the caller sees, newest first, after a row (its time and id).';

COMMENT ON FUNCTION "private"."list_my_invitations"(timestamp with time zone, uuid, integer) IS 'Returns a page of the pending invitations to the caller''s confirmed address, newest first, after a row (its time and id).';

COMMENT ON FUNCTION "private"."list_notifications"(uuid, boolean, timestamp with time zone, uuid, integer, integer) IS 'Returns a page of a person''s notifications, or of the unread ones, newest first, and how many are unread, up to a maximum.';

COMMENT ON FUNCTION "private"."list_people"(text, uuid, text, uuid, integer) IS 'Returns the people of the caller''s organizations, or of one, by the beginning of a word of their name, in the order of names. Nullable: p_query, p_org_id, avatar_url.';

COMMENT ON FUNCTION "private"."list_pictures"(uuid[]) IS 'Returns the pictures of entries whose content the caller sees, in the order of the entries and of their positions.';

COMMENT ON FUNCTION "private"."list_received_drops"(uuid, boolean, timestamp with time zone, uuid, integer) IS 'Returns a page of the drops that a person received, or of the unread ones, newest first, and how many are unread.';

COMMENT ON FUNCTION "private"."lock_battle"(date) IS 'Waits for all check-ins that share the battle of a week; later ones wait until this transaction ends.';

COMMENT ON FUNCTION "private"."lock_check_in"(uuid) IS 'Lets one check-in of a person be written or reviewed at a time.';

COMMENT ON FUNCTION "private"."lock_commented"(uuid, uuid) IS 'Locks an entry or a goal, and returns whether the caller may comment on it, and whether its author takes comments. Nullable: p_entry_id, p_goal_id.';

COMMENT ON FUNCTION "private"."lock_for_check_ins"(jsonb) IS 'Locks what check-ins of people on dates depend on: profiles, then the chain rows of the people and of those before them.';

COMMENT ON FUNCTION "private"."lock_for_review"(uuid) IS 'Locks the profiles and chain rows that change with the status of a check-in before it is reviewed.';

COMMENT ON FUNCTION "private"."lock_group"(uuid) IS 'Locks what the deletion of an organization or a team changes, in the order in which other transactions lock it.';

COMMENT ON FUNCTION "private"."lock_importer"(uuid) IS 'Locks the profile of the person of a running import; false if the import does not run, or the account is gone.';

COMMENT ON FUNCTION "private"."lock_invitee"(text) IS 'Locks the person who has confirmed an address, if there is one, and the pair of this person and the caller.';

COMMENT ON FUNCTION "private"."lock_membership"(uuid, uuid) IS 'Locks what the removal of a member from an organization or a team changes, in the same order as private.lock_group.';

COMMENT ON FUNCTION "private"."lock_memberships"(uuid, uuid[], uuid[]) IS 'Returns those of some organizations and teams that an author is a member of, and locks them until the transaction ends.';

COMMENT ON FUNCTION "private"."lock_moderation"(uuid) IS 'Lets one decision about a person and their things be made or reversed at a time.';

COMMENT ON FUNCTION "private"."lock_pair"(uuid, uuid, boolean) IS 'Locks two people as a pair until the transaction ends: exclusively for a block, shared for what one of them sends.';

COMMENT ON FUNCTION "private"."lock_profile"(uuid) IS 'Locks a profile, so that the account is not deleted before the transaction ends; false if it does not exist.';

COMMENT ON FUNCTION "private"."lock_profiles"(uuid[]) IS 'Locks several profiles, as private.lock_profile does.';

COMMENT ON FUNCTION "private"."lock_recounted"(uuid[]) IS 'Locks check-ins that are about to be recounted, and shares the battles that they count in.';

COMMENT ON FUNCTION "private"."lock_report"(uuid) IS 'Locks and returns everyone who reported the thing of a report, and locks its owner as private.lock_moderation does.';

COMMENT ON FUNCTION "private"."lock_writer"(uuid, boolean, boolean) IS 'Locks the profile of a person who writes, so that the account is not deleted, suspended or closed meanwhile; false if it is gone.';

COMMENT ON FUNCTION "private"."log_reads"(uuid[], boolean) IS 'Logs that a super admin reads entries or goals that they see by nothing else, with their content or only their metadata.';

COMMENT ON FUNCTION "private"."lowercase_tags"(text[]) IS 'Writes tags as they are compared: without regard to case.';

COMMENT ON FUNCTION "private"."match_again"(uuid) IS 'Queues a player for matching, which leaves out people whose account is closing.';

COMMENT ON FUNCTION "private"."matching_entries"(jsonb, uuid[], integer) IS 'Returns the first of these entries that pass the filters of private.entry_page.';

COMMENT ON FUNCTION "private"."matching_lock"(date) IS 'Returns the advisory lock of matching the players of a date.';

COMMENT ON FUNCTION "private"."max_analyses_per_day"() IS 'Returns how often a person''s notes are analyzed on one UTC day.';

COMMENT ON FUNCTION "private"."max_attempts_per_turn"() IS 'How often a job tries to serve a person on a day, until it succeeds.';

COMMENT ON FUNCTION "private"."max_settled_at_once"() IS 'Returns how many entries a batch writes: at most about half a second of work.';

COMMENT ON FUNCTION "private"."may_email"(uuid, text, text, text) IS 'Returns whether the recipient policy lets a person write to an address.';

COMMENT ON FUNCTION "private"."may_use_tone_pack"(uuid, uuid) IS 'Returns whether a person may activate a pack: their own, or one not hidden that is shared with them, bought, or public and free.';

COMMENT ON FUNCTION "private"."member_share"(uuid, uuid) IS 'Returns one id for what a user shares with a group, in private.withdrawn_shares().';

COMMENT ON FUNCTION "private"."metadata_keys"(uuid, text, text[], text) IS 'Returns what journal_entries_search contains for an entry.';

COMMENT ON FUNCTION "private"."moment_tolerance"() IS 'Returns how far a moment that a request passes may be from the clock of the database.';

COMMENT ON FUNCTION "private"."monthly_drops"(boolean) IS 'Returns the drops that a person gets each month.';

COMMENT ON FUNCTION "private"."mood_term"(text) IS 'Returns the search term of a mood.';

COMMENT ON FUNCTION "private"."mosaics_to_draw"(timestamp with time zone) IS 'Returns the dates whose mosaics may have changed.';

COMMENT ON FUNCTION "private"."move_picture"(uuid, integer) IS 'Moves a picture of the caller to a position, or to the last one, and shifts those between.';

COMMENT ON FUNCTION "private"."my_administered_team_ids"() IS 'Returns the teams that the caller administers, as primary admin or co-admin.';

COMMENT ON FUNCTION "private"."my_audiences"() IS 'Returns every audience that the caller belongs to, apart from being the author: the public, their teams, their organizations.';

COMMENT ON FUNCTION "private"."my_content_audiences"() IS 'Returns every id that private.content_audience has for contents that the caller may see, except as a super admin.';

COMMENT ON FUNCTION "private"."my_organization_ids"() IS 'Returns the organizations that the caller is a member of.';

COMMENT ON FUNCTION "private"."my_organization_role"(uuid) IS 'Returns the caller''s role in an organization: owner, admin, member or none; null if it does not exist. Nullable: result.';

COMMENT ON FUNCTION "private"."my_owned_organization_ids"() IS 'Returns the organizations that the caller owns.';

COMMENT ON FUNCTION "private"."my_team_role"(uuid) IS 'Returns the caller''s role in a team: admin, member, organization_member or none; null if it does not exist. Nullable: result.';

COMMENT ON FUNCTION "private"."my_tone_pack_ids"() IS 'Returns the tone packs that are shared with the caller or that the caller bought.';

COMMENT ON FUNCTION "private"."name_words"(text) IS 'Returns the words of a name by their number, each with what follows it, cut after 100 characters.';

COMMENT ON FUNCTION "private"."newest_entries_of_notebook"(uuid, text, timestamp with time zone, uuid, timestamp with time zone, integer) IS 'Does what private.newest_visible_journal_entries does for one notebook.';

COMMENT ON FUNCTION "private"."newest_notes"(uuid, timestamp with time zone) IS 'Returns the fifty newest notes of a person after a moment, with the first 2,000 characters of each: what an analysis reads.';

COMMENT ON FUNCTION "private"."newest_public_goals"(uuid[], timestamp with time zone, uuid, timestamp with time zone, nectar.goal_status, integer) IS 'Returns the ids of the first public rows of the table in this order, without those of some people, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."newest_public_journal_entries"(uuid[], timestamp with time zone, uuid, timestamp with time zone, integer) IS 'Returns the ids of the first public rows of the table in this order, without those of some people, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."newest_public_notebooks"(uuid[], timestamp with time zone, uuid, timestamp with time zone, integer) IS 'Returns the ids of the first public rows of the table in this order, without those of some people, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."newest_visible_goals"(text, timestamp with time zone, uuid, timestamp with time zone, nectar.goal_status, integer) IS 'Returns the ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."newest_visible_journal_entries"(text, timestamp with time zone, uuid, timestamp with time zone, integer) IS 'Returns the ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."newest_visible_notebooks"(text, timestamp with time zone, uuid, timestamp with time zone, integer) IS 'Returns the ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."next_drop_time"(timestamp with time zone) IS 'Returns the time of the next movement of a locked account, later than that of its latest one (null: there is none).';

COMMENT ON FUNCTION "private"."next_entries"(jsonb, jsonb, date, timestamp with time zone, uuid, integer) IS 'Returns the next visible entries of private.entry_page after a row. Nullable: p_after_date.';

COMMENT ON FUNCTION "private"."next_open_drops"(timestamp with time zone, uuid, uuid, integer) IS 'Returns open drops by sender, after a drop: whether the window of each is over, and whether its recipient wrote an entry in it.';

COMMENT ON FUNCTION "private"."next_reminder"(text, time without time zone, smallint[], date) IS 'Returns when a reminder is due for the first time on a local date or after it.';

COMMENT ON FUNCTION "private"."notes_fingerprint"(uuid, timestamp with time zone) IS 'Returns the SHA-256 of what an analysis reads of a person''s notes: their ids, titles and contents; not their moods and tags.';

COMMENT ON FUNCTION "private"."notes_for_analysis"(uuid, timestamp with time zone) IS 'Returns the beginnings of the fifty newest recent notes of a person who lets the assistant read them, and the state of all. Nullable: mood.';

COMMENT ON FUNCTION "private"."notes_since"(timestamp with time zone) IS 'Returns the time after which notes are recent: seven times 24 hours before a moment.';

COMMENT ON FUNCTION "private"."notes_state"(uuid, timestamp with time zone) IS 'Returns what a person''s notes after a moment are now.';

COMMENT ON FUNCTION "private"."notes_version"(uuid, timestamp with time zone) IS 'Returns a number that changes when a person adds, deletes, excludes or saves a note created after a moment.';

COMMENT ON FUNCTION "private"."notify"(uuid, nectar.notification_type, jsonb, uuid) IS 'Notifies a person in the transaction of what caused it; does nothing if the account is gone.';

COMMENT ON FUNCTION "private"."notify_added_member"() IS 'Notifies a person who is added to an organization or team by another person.';

COMMENT ON FUNCTION "private"."notify_battle_progress"(private.ended_day[]) IS 'Notifies everyone who completed one of these days how the battle of its week stands, if it is running; synthetic users are left out.';

COMMENT ON FUNCTION "private"."notify_battle_results"(date, integer) IS 'Notifies at most p_max members of both teams how a battle ended, each once, and returns whether there are more.';

COMMENT ON FUNCTION "private"."notify_broken_chains"(jsonb) IS 'Notifies people that their chain of a date broke, unless their last notification says so already, and returns them.';

COMMENT ON FUNCTION "private"."notify_invitee"(uuid, uuid, uuid) IS 'Notifies a person of an invitation by the caller, unless there is a block or they are a member.';

COMMENT ON FUNCTION "private"."notify_of_chains"(date, jsonb) IS 'Notifies people (user_id, data) of what changed on a date.';

COMMENT ON FUNCTION "private"."notify_of_check_ins"(uuid[], timestamp with time zone, integer) IS 'Notifies the next person of each check-in, and the squad of a verified one, and returns the next people.';

COMMENT ON FUNCTION "private"."notify_of_comment"(uuid, uuid, uuid) IS 'Notifies the author of an entry or a goal, and people who commented on it, of a comment. Nullable: p_entry_id, p_goal_id.';

COMMENT ON FUNCTION "private"."notify_of_goal_check_in"() IS 'Notifies the other members of the team with which a goal is shared of a check-in.';

COMMENT ON FUNCTION "private"."notify_of_message"() IS 'Notifies others of a message: the members of the team or squad, or the author and the commenters of the entry or goal.';

COMMENT ON FUNCTION "private"."notify_room"(uuid, uuid[], nectar.notification_type, jsonb, uuid) IS 'Notifies other people of a room, in one statement, of a message, a comment or a check-in to a goal.';

COMMENT ON FUNCTION "private"."oldest_entries_of_notebook"(uuid, text, timestamp with time zone, uuid, timestamp with time zone, integer) IS 'Does what private.oldest_visible_journal_entries does for one notebook.';

COMMENT ON FUNCTION "private"."oldest_public_journal_entries"(uuid[], timestamp with time zone, uuid, timestamp with time zone, integer) IS 'Returns the ids of the first public rows of the table in this order, without those of some people, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."oldest_visible_journal_entries"(text, timestamp with time zone, uuid, timestamp with time zone, integer) IS 'Returns the ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound.';

COMMENT ON FUNCTION "private"."open_account"(uuid, text, jsonb, jsonb) IS 'Creates the profile, the account and, for humans, the signup bonus of 50 drops for a user of Auth.';

COMMENT ON FUNCTION "private"."open_battle"(date, timestamp with time zone) IS 'Returns the battle of a week, and creates the one of the current week if it does not exist.';

COMMENT ON FUNCTION "private"."open_current_battle"(date, timestamp with time zone) IS 'Does what private.open_battle does for a person''s request, which may act only now.';

COMMENT ON FUNCTION "private"."open_days_of_chains"() IS 'Opens the days of new rows.';

COMMENT ON FUNCTION "private"."open_subscriptions"(uuid) IS 'Returns the ids at the payment processor of a person''s subscriptions that have not ended, which an erasure cancels.';

COMMENT ON FUNCTION "private"."open_synthetic_turns"(timestamp with time zone, timestamp with time zone, uuid, integer) IS 'Returns at most p_max dates of active synthetic users whose window has opened and who have not checked in.';

COMMENT ON FUNCTION "private"."open_tables_to_realtime"() IS 'Lets Supabase Realtime send notifications and messages to open apps, by the policies that the API has.';

COMMENT ON FUNCTION "private"."own_entries"(date, date) IS 'The caller''s own entries of a range of days (inclusive).';

COMMENT ON FUNCTION "private"."own_thing"(uuid, uuid) IS 'Returns an entry or a goal of the caller as an entry; all null if it is not theirs.';

COMMENT ON FUNCTION "private"."pack_differences"() IS 'Returns the people whose payments for packs that were not refunded do not match the packs that they have, with both numbers.';

COMMENT ON FUNCTION "private"."pass_on_invitations"(uuid) IS 'Makes the owners the inviters instead of a person whose account is being deleted, and deletes responses that show the person.';

COMMENT ON FUNCTION "private"."person_with_email"(text) IS 'Returns the id of the person with an address, or null. Nullable: result.';

COMMENT ON FUNCTION "private"."photo_bands"(bit) IS 'Returns five parts of a perceptual hash, each with its position.';

COMMENT ON FUNCTION "private"."plan_changed_reminder"() IS 'Lets the next run of the reminder job compute when a reminder that was changed is due.';

COMMENT ON FUNCTION "private"."player_cards"(date, uuid[]) IS 'Returns the cards of those of some people who play on a date.';

COMMENT ON FUNCTION "private"."player_record"(uuid) IS 'Returns what a person has achieved in battles: verified chips, battles that their team won, and the longest run of verified days.';

COMMENT ON FUNCTION "private"."players_around"(date, uuid[]) IS 'Returns who may play on a date or has a row of it: all, or those in the areas where the given people play or were to play.';

COMMENT ON FUNCTION "private"."post_drop_transaction"(uuid, nectar.drop_transaction_type, integer, text, text, uuid, text) IS 'Moves drops of one account; the caller has locked the profile.';

COMMENT ON FUNCTION "private"."post_drop_transactions"(jsonb, nectar.drop_transaction_type, text, text) IS 'Gives drops to many accounts, as private.post_drop_transaction does to one.';

COMMENT ON FUNCTION "private"."present_badge"(nectar.user_badges) IS 'Returns a badge in the form that the functions read.';

COMMENT ON FUNCTION "private"."present_invitation"(nectar.invitations) IS 'Returns an invitation as the invited person sees it.';

COMMENT ON FUNCTION "private"."preview_audience"(uuid, uuid, jsonb) IS 'Describes who would see an entry or a goal of the caller if its columns were changed like this; without ids a new one. Nullable: p_entry_id, p_goal_id.';

COMMENT ON FUNCTION "private"."preview_invitation"(bytea) IS 'Returns the invitation with a token.';

COMMENT ON FUNCTION "private"."preview_limit"() IS 'Returns how many entries of a notebook a preview looks at, and how many readers of an entry are counted.';

COMMENT ON FUNCTION "private"."preview_notebook_audience"(uuid, jsonb) IS 'Counts the entries of the caller''s notebook that a change would show to others, with 20 examples; null if it is not theirs.';

COMMENT ON FUNCTION "private"."process_engagement"(timestamp with time zone, uuid, uuid, integer) IS 'Processes the next open drops, those of one sender together, so that the sender''s rows are written once. Nullable: p_after_sender_id, p_after_drop_id.';

COMMENT ON FUNCTION "private"."public_audience"() IS 'Returns the audience that everyone signed in belongs to.';

COMMENT ON FUNCTION "private"."purchase_tone_pack"(uuid, bigint) IS 'Buys a pack for the caller; returns the purchase, the movement that paid for it (transaction) and the balance. Nullable: p_expected_price.';

COMMENT ON FUNCTION "private"."push_setting"(nectar.notification_type, jsonb) IS 'Returns whether a person wants a type of notification pushed, by the choices in their settings (null: none).';

COMMENT ON FUNCTION "private"."queue_blocked_players"(nectar.blocks) IS 'Queues a person who blocks a player of their area for matching, which separates the two on all days that have not begun.';

COMMENT ON FUNCTION "private"."queue_pushes"() IS 'Queues new notifications for every device of their recipients, unless they turned notifications, or that type, off.';

COMMENT ON FUNCTION "private"."quiet_until"(text, time without time zone, time without time zone, timestamp with time zone) IS 'Returns when the quiet hours that a moment falls into end; null if it falls into none.';

COMMENT ON FUNCTION "private"."quotas"() IS 'Returns every quota: its name, the units that a person may use in one period, and the period (minute, hour or day, UTC).';

COMMENT ON FUNCTION "private"."read_allowance"(uuid, date) IS 'Returns what a person has and used on a day, by the current rules.';

COMMENT ON FUNCTION "private"."read_audience"(uuid, uuid) IS 'Describes who sees an entry or a goal of the caller, as private.audience; null if it is not theirs. Nullable: p_entry_id, p_goal_id, result.';

COMMENT ON FUNCTION "private"."read_balance"(uuid) IS 'Returns the balance of a person in drops; null if the caller may not see it. Nullable: result.';

COMMENT ON FUNCTION "private"."read_chain"(uuid, date, boolean) IS 'Returns a person''s neighbors and squad on a date with check-ins, or nothing if they do not play then. Nullable: result.';

COMMENT ON FUNCTION "private"."read_days"(timestamp with time zone, integer) IS 'Returns the dates on which the caller was matched or checked in, in any order, by the state of their day and whether there is a check-in.';

COMMENT ON FUNCTION "private"."read_erasure"() IS 'Describes what erasing the caller would do (preview), and the times of a scheduled erasure.';

COMMENT ON FUNCTION "private"."read_goal"(uuid, timestamp with time zone) IS 'Returns the goal with an id as the caller sees it at a moment; no row if they may not see it.';

COMMENT ON FUNCTION "private"."read_journal_stats"(date, date, timestamp with time zone) IS 'Returns the caller''s own entries of a range of days (inclusive) in numbers, as the API sends them. Nullable: p_from, p_to.';

COMMENT ON FUNCTION "private"."read_location"(uuid) IS 'Returns the location of a person as an object; null if there is none or the caller may not see it. Nullable: result.';

COMMENT ON FUNCTION "private"."read_matching"(date, uuid[]) IS 'Returns everyone who plays on a date or has a row of it, in all areas or in those of the given people, and locks their profiles.';

COMMENT ON FUNCTION "private"."read_mood_calendar"(integer, timestamp with time zone) IS 'Returns a year of private.read_journal_stats day by day, with its number. Nullable: p_year.';

COMMENT ON FUNCTION "private"."read_notification_settings"(uuid) IS 'Returns the notification settings of the caller as an object, with the defaults for what they did not choose.';

COMMENT ON FUNCTION "private"."read_profile"(uuid) IS 'Returns the profile of the caller as an object; null for other people, who have no account that the caller may see. Nullable: result.';

COMMENT ON FUNCTION "private"."read_user"(uuid, timestamp with time zone) IS 'Returns the page of a person as an object, with at most 500 organizations of both; null if the caller may not see it. Nullable: result.';

COMMENT ON FUNCTION "private"."read_wellness_averages"(date, date) IS 'Returns the averages of the caller''s wellness entries of these days (inclusive) in their time zone; null if there are none.';

COMMENT ON FUNCTION "private"."read_window"(uuid) IS 'Returns the window of a person as an object; null if there is none or the caller may not see it. Nullable: result.';

COMMENT ON FUNCTION "private"."readers_of"(uuid, text) IS 'Returns the people whose own data shows a person: texts, name and picture, or the confirmed address (null: none).';

COMMENT ON FUNCTION "private"."recalculate_badges"(uuid[], timestamp with time zone) IS 'Recalculates levels, for when definitions have changed or a day has passed.';

COMMENT ON FUNCTION "private"."recalculate_my_badge"(timestamp with time zone) IS 'Recalculates the caller''s level.';

COMMENT ON FUNCTION "private"."recalculate_recent_badges"(timestamp with time zone, uuid, integer) IS 'Recalculates the badges of the next people who sent a drop today or yesterday (UTC) and have enough engagements for a higher level. Nullable: p_after_user_id, last_user.';

COMMENT ON FUNCTION "private"."reconcile_drops"() IS 'Compares all balances, movements, monthly awards and bought packs; returns the sums and at most 100 differences.';

COMMENT ON FUNCTION "private"."record_acting_member"() IS 'Records that a user who writes this row acts as a member of its organizations or teams.';

COMMENT ON FUNCTION "private"."record_acting_owner"() IS 'Records that an owner who writes this row uses its organization.';

COMMENT ON FUNCTION "private"."record_appeal_decision"(uuid, nectar.appeal_status, text, uuid, timestamp with time zone, integer) IS 'Decides an appeal: upheld or reversed, and returns it as the API sends it.';

COMMENT ON FUNCTION "private"."record_check_in"(jsonb, timestamp with time zone, integer) IS 'Writes the caller''s check-in with its photo, whose file stays; verified if it has no flags.';

COMMENT ON FUNCTION "private"."record_check_ins"(jsonb, timestamp with time zone, integer) IS 'Writes check-ins and notifies the next people and the squads; returns the ids that were written and how many notifications.';

COMMENT ON FUNCTION "private"."record_decision"(uuid, uuid[], nectar.moderation_decision, text, timestamp with time zone, uuid, timestamp with time zone) IS 'Decides the open reports of these reporters about the thing of a report, and returns the id of the decision. Nullable: p_suspended_until.';

COMMENT ON FUNCTION "private"."record_email_event"(jsonb) IS 'Stores an event of the mail provider with the delivery of its mail; false if the event was processed before.';

COMMENT ON FUNCTION "private"."record_email_result"(uuid, text) IS 'Records the result of sending the caller''s mail: the provider''s id, or null if the provider did not accept it. Nullable: p_provider.';

COMMENT ON FUNCTION "private"."record_encouragement_drop"(jsonb, timestamp with time zone) IS 'Does the work of private.send_encouragement_drop.';

COMMENT ON FUNCTION "private"."record_invitation"(uuid, jsonb, timestamp with time zone) IS 'Creates an invitation by the owner or a super admin. Nullable: message_id, reply_to.';

COMMENT ON FUNCTION "private"."record_member_acted"(uuid[]) IS 'Records the first time that the caller acts as a member of these organizations, or of those of these teams.';

COMMENT ON FUNCTION "private"."record_organization_update"() IS 'Stamps updated_at of an organization, and records that an owner who updates it uses it.';

COMMENT ON FUNCTION "private"."record_owner_acted"(uuid) IS 'Records that the caller uses an organization, if they own it.';

COMMENT ON FUNCTION "private"."record_push_results"(jsonb, timestamp with time zone) IS 'Stores the results of claimed deliveries: sent, refused, unavailable or unused (not tried).';

COMMENT ON FUNCTION "private"."record_subscription_event"(jsonb) IS 'Stores an event of the payment processor with the status of its subscription; false if it was processed before.';

COMMENT ON FUNCTION "private"."record_use_by_team"() IS 'Records that the creator of a team acts as a member, and that an owner who writes it uses the organization.';

COMMENT ON FUNCTION "private"."recount_check_ins"(jsonb, timestamp with time zone, integer) IS 'Corrects the check-ins that depend on results of people on dates, and returns who was notified that their chain broke.';

COMMENT ON FUNCTION "private"."recount_messages"(nectar.blocks) IS 'Counts the messages in the unread notifications of two people again after a block, and deletes those that count none.';

COMMENT ON FUNCTION "private"."recount_streak"() IS 'Counts the streak of a goal whose weekdays were changed.';

COMMENT ON FUNCTION "private"."recount_streaks"(uuid[]) IS 'Counts the streaks of goals again.';

COMMENT ON FUNCTION "private"."recount_streaks_of_check_ins"() IS 'Counts the streaks of goals whose check-ins were changed.';

COMMENT ON FUNCTION "private"."refund_purchase"(uuid, text) IS 'Refunds a purchase, once, for super admins only.';

COMMENT ON FUNCTION "private"."release_assistant_turn"(uuid, nectar.assistant_job, uuid, timestamp with time zone, boolean) IS 'Ends a claim after an attempt that failed or had nothing to do, unless the turn was cancelled or claimed again since; the attempt stays counted.';

COMMENT ON FUNCTION "private"."release_pushes_of_settings"() IS 'Lets pushes that wait for quiet hours be claimed again, because the quiet hours changed.';

COMMENT ON FUNCTION "private"."release_waiting_pushes"(uuid) IS 'Lets the pushes that wait for the end of a person''s quiet hours be claimed again.';

COMMENT ON FUNCTION "private"."remind_players"(timestamp with time zone, integer) IS 'Reminds at most p_max people who have not checked in and whose window opens within half an hour, once for a window.';

COMMENT ON FUNCTION "private"."remind_to_write"(timestamp with time zone, integer) IS 'Reminds people whose journal reminder is due, once on a local date, and computes when each is due next.';

COMMENT ON FUNCTION "private"."remove_dead_device"(uuid, text, text) IS 'Removes a device that its push service does not know any more, unless it was subscribed again in the meantime.';

COMMENT ON FUNCTION "private"."replace_photo"(uuid, timestamp with time zone) IS 'Takes the photo of a rejected check-in of the caller out of it, before another one takes its place.';

COMMENT ON FUNCTION "private"."reportable_thing"(text, uuid, timestamp with time zone) IS 'Returns the owner of a thing, whether the caller may see it, and the beginning of what they see of it; all null if there is none.';

COMMENT ON FUNCTION "private"."request_erasure"(boolean, timestamp with time zone) IS 'Closes the account of the caller, to be erased now or in 7 days, and returns both times as the API sends them.';

COMMENT ON FUNCTION "private"."require_commentable"(uuid, uuid) IS 'Requires that the caller may comment on an entry or a goal until the transaction ends, for the policy of messages.';

COMMENT ON FUNCTION "private"."require_drop_recipient"(uuid) IS 'Requires that a person exists, without a block between them and the caller, and locks the two as a pair.';

COMMENT ON FUNCTION "private"."require_open_goal"(uuid, uuid) IS 'Requires that a goal is open until the transaction ends, for the policy of check-ins (goal.not_open).';

COMMENT ON FUNCTION "private"."require_picture_room"(uuid, integer, bigint) IS 'Returns the position of the next picture of an entry of the caller, if it has room for one; null if the caller has no such entry. Nullable: result.';

COMMENT ON FUNCTION "private"."require_reachable"(uuid, uuid) IS 'Requires that the caller can reach a person: a human, without a block between the two unless both are in p_group. Nullable: p_group.';

COMMENT ON FUNCTION "private"."resolve_entry"(nectar.journal_entries, nectar.notebooks, uuid[], uuid[]) IS 'Returns an entry with its effective visibility and audiences; what it shares with a deleted group becomes private.';

COMMENT ON FUNCTION "private"."restore_account"() IS 'Opens the closing account of the caller again; does nothing if it is not closing.';

COMMENT ON FUNCTION "private"."restore_entry"(uuid) IS 'Moves an entry of the caller from the trash back to the journal, unchanged; false if it is not in their trash.';

COMMENT ON FUNCTION "private"."review_check_in"(uuid, nectar.checkin_status, text, uuid, timestamp with time zone, integer) IS 'Gives a check-in another status, and recounts the check-ins that depend on it. Nullable: p_reason.';

COMMENT ON FUNCTION "private"."rewrite_member_names"(nectar.profiles) IS 'Stores the name of a profile again for all organizations of its person.';

COMMENT ON FUNCTION "private"."rfc3339"(timestamp with time zone) IS 'Writes a time as the API sends it, for objects that are made in the database.';

COMMENT ON FUNCTION "private"."same_day_of_earlier_years"(date) IS 'Returns the dates from 1900 on that have month and day of a date and are of an earlier year.';

COMMENT ON FUNCTION "private"."search_form"(text) IS 'Writes a name as it is compared: without case, accents and punctuation, with one blank between words.';

COMMENT ON FUNCTION "private"."search_key"(uuid, text) IS 'Returns the key of the search index for a term that an audience may see: 24 bits of the term, then 40 bits of the audience.';

COMMENT ON FUNCTION "private"."search_keys"(uuid, text[]) IS 'Returns the keys of the search index for terms that an audience may see, without those that are null.';

COMMENT ON FUNCTION "private"."search_terms"(text[]) IS 'Returns those of the trigrams of a text that are inside of its words.';

COMMENT ON FUNCTION "private"."seen_check_ins"(uuid[]) IS 'Returns check-ins as the caller may see them (private.check_in_details), newest first.';

COMMENT ON FUNCTION "private"."sees_thing"(uuid, uuid, uuid) IS 'Returns whether a person sees metadata and content of an entry or a goal of the caller, as far as it is shared; null if it is not theirs. Nullable: p_entry_id, p_goal_id, result.';

COMMENT ON FUNCTION "private"."sees_tone_pack"(uuid) IS 'Returns whether the caller''s policies show them a pack.';

COMMENT ON FUNCTION "private"."sees_unshared"() IS 'Returns whether the caller sees entries and goals that are not shared with them, as super admins do.';

COMMENT ON FUNCTION "private"."send_assistant_drop"(uuid, timestamp with time zone, text, text, uuid) IS 'Sends a person the assistant''s drop of the UTC day, notifies them, and ends the turn; no allowance changes. Nullable: p_analysis_id, result.';

COMMENT ON FUNCTION "private"."send_encouragement_drop"(jsonb, timestamp with time zone) IS 'Sends a drop of the caller; returns it, and the allowance and the badge of the caller after it.';

COMMENT ON FUNCTION "private"."send_message"(uuid, uuid, uuid, uuid, text) IS 'Sends a message of the caller to a room, under the policies, and returns it. Nullable: p_team_id, p_squad_id, p_entry_id, p_goal_id.';

COMMENT ON FUNCTION "private"."set_audiences"() IS 'Computes the audiences of a thing from its visibility; those of a hidden one are the author.';

COMMENT ON FUNCTION "private"."set_entry_audiences"() IS 'Computes the visibility and audiences of an entry from its sharing, its notebook and its author''s memberships.';

COMMENT ON FUNCTION "private"."set_goal_status"(uuid, nectar.goal_status, timestamp with time zone) IS 'Gives a goal of the caller a status, and records from when until when it is not active.';

COMMENT ON FUNCTION "private"."settle"(uuid, uuid, uuid, uuid[]) IS 'Makes entries follow a change of their notebook, of a membership or of a deleted group: a few at once, the others by the task.';

COMMENT ON FUNCTION "private"."settle_deleted_group"() IS 'Makes private what was shared with a deleted team or organization.';

COMMENT ON FUNCTION "private"."settle_entries"(private.unsettled_shares, integer, boolean) IS 'Writes the next entries of a change of who sees them; returns the new position, their number, and whether none are left.';

COMMENT ON FUNCTION "private"."settle_member"() IS 'Withdraws what a person shared with a group that they leave, and shares it again when they return.';

COMMENT ON FUNCTION "private"."settle_next"() IS 'Writes the next batch of entries whose sharing has changed; false if nothing is left, or another transaction writes it.';

COMMENT ON FUNCTION "private"."settle_notebook"() IS 'Makes entries that inherit follow a change of their notebook.';

COMMENT ON FUNCTION "private"."settled_entry"(nectar.journal_entries) IS 'Returns an entry of the caller, or any for super admins, as it will be once it has followed all changes; any other unchanged.';

COMMENT ON FUNCTION "private"."share_battle"(date) IS 'Keeps the battle of a week from ending before this transaction does.';

COMMENT ON FUNCTION "private"."shares_organization"(uuid) IS 'Returns whether the caller is in an organization of a person.';

COMMENT ON FUNCTION "private"."shown_goals"(uuid[], timestamp with time zone) IS 'Returns the goals with these ids as the caller sees them at a moment, in this order, without those that they may not see.';

COMMENT ON FUNCTION "private"."skip_blocked_notification"() IS 'Skips a notification of what a person does for someone with a block between them.';

COMMENT ON FUNCTION "private"."sorted_candidates"(jsonb, jsonb, uuid[], date, timestamp with time zone, uuid) IS 'Returns the candidates in the scope and the notebook that come after a row, in the order of the page. Nullable: p_ids, p_after_date, result.';

COMMENT ON FUNCTION "private"."start_check_in"(date) IS 'Counts a photo of the caller against its quota, expects its file, and reads what the photo is compared with.';

COMMENT ON FUNCTION "private"."start_erasure"(uuid, timestamp with time zone) IS 'Begins to erase an account that is due, or goes on with it; returns its subscriptions to cancel, or null if it is not due. Nullable: result.';

COMMENT ON FUNCTION "private"."start_import"(uuid, text, boolean) IS 'Starts an import of the caller, of a version of its archive: one that waits, or one of which there was a dry run only.';

COMMENT ON FUNCTION "private"."store_mosaic"(date, jsonb) IS 'Writes the mosaic of a date whose image is stored, replacing the previous one; false if that one read the states later.';

COMMENT ON FUNCTION "private"."store_note_analysis"(uuid, uuid, timestamp with time zone, jsonb, uuid[], private.notes_state) IS 'Stores an analysis of a person''s notes, one per UTC day, with the notes that it read and their state, and ends the turn. Nullable: p_state, result.';

COMMENT ON FUNCTION "private"."store_response"(text, text, text, smallint, text, uuid, boolean) IS 'Stores the response to a request of the caller whose key was taken, or only the key if there is no response yet. Nullable: p_status, p_body, p_resource_id.';

COMMENT ON FUNCTION "private"."subscribe_device"(text, text, text) IS 'Makes a device the caller''s, even if it belonged to another person before.';

COMMENT ON FUNCTION "private"."suspend_user"(uuid, timestamp with time zone) IS 'Suspends a person until a time, or ends their suspension (null).';

COMMENT ON FUNCTION "private"."sync_account"() IS 'Opens the account of a new user of Auth, copies a changed address, and continues the suspension that a confirmed address has.';

COMMENT ON FUNCTION "private"."sync_file_of_row"() IS 'Keeps the file of a row, and discards one that the row no longer names.';

COMMENT ON FUNCTION "private"."sync_open_day"() IS 'Moves the open day of a changed row and closes that of a deleted one, which may queue its neighbors and squad for matching.';

COMMENT ON FUNCTION "private"."sync_premium"() IS 'Makes a person premium while one of their subscriptions is active.';

COMMENT ON FUNCTION "private"."sync_profile"() IS 'Copies a changed name, or whether the person is synthetic, to the badge and to the names of members.';

COMMENT ON FUNCTION "private"."sync_settings"() IS 'Hides or shows a person on the leaderboard, and plans their reminder and waiting pushes by a new time zone.';

COMMENT ON FUNCTION "private"."system_user_id"() IS 'Returns the id of the reserved user that sends the drops of the assistant.';

COMMENT ON FUNCTION "private"."tag_terms"(text[]) IS 'Returns the search terms of tags.';

COMMENT ON FUNCTION "private"."take_idempotency_key"(text, text, text, interval, interval) IS 'Locks a key of the caller, and returns the response to an earlier request with it; no row if the request may run.';

COMMENT ON FUNCTION "private"."terms_within"(text) IS 'Returns the search terms that every text has that contains this one, also where it begins or ends in the middle of a word.';

COMMENT ON FUNCTION "private"."thing"(uuid, uuid) IS 'Returns an entry or a goal as an entry; all null if there is none.';

COMMENT ON FUNCTION "private"."today"() IS 'Returns today in the time zone of the caller''s profile.';

COMMENT ON FUNCTION "private"."toggle_synthetic_user"(uuid, boolean) IS 'Lets a synthetic user play or rest, for super admins only; nothing if there is no such synthetic user.';

COMMENT ON FUNCTION "private"."token_usage_monthly"(uuid, integer, integer) IS 'Returns the model calls of a person in one calendar month (UTC): always one row, with every kind.';

COMMENT ON FUNCTION "private"."touch_thing_of_content"() IS 'Stamps updated_at of a thing when its content changes.';

COMMENT ON FUNCTION "private"."touch_updated_at"() IS 'Stamps updated_at.';

COMMENT ON FUNCTION "private"."transfer_organization"(uuid, uuid) IS 'Makes a member the owner; the old owner stays as admin.';

COMMENT ON FUNCTION "private"."trash_entry"(uuid) IS 'Moves an entry of the caller to the trash; false if they have no such entry.';

COMMENT ON FUNCTION "private"."trash_expires_at"(timestamp with time zone) IS 'Returns the time until when an entry stays in the trash.';

COMMENT ON FUNCTION "private"."undo_decision"(uuid, timestamp with time zone) IS 'Takes the effect of a decision back, and dismisses its reports; does nothing if it was reversed before.';

COMMENT ON FUNCTION "private"."unless_hidden"(nectar.visibility, timestamp with time zone) IS 'Returns a requested visibility, or ''user'' for something that an admin has hidden.';

COMMENT ON FUNCTION "private"."unsettled_entries"(private.unsettled_shares, integer) IS 'Returns the next entries that may have to follow a change of their notebook, of a membership or of a group, newest first.';

COMMENT ON FUNCTION "private"."unsettled_sources"() IS 'Returns the caller''s notebooks and groups that changed, but not yet all their entries; everyone''s for super admins.';

COMMENT ON FUNCTION "private"."unshare"() IS 'Makes notebooks and goals private that were shared with a deleted team or organization.';

COMMENT ON FUNCTION "private"."unused_bonus"(nectar.encouragement_allowances) IS 'Returns what is left of the bonus that was earned on a day; 0 if there is no such day.';

COMMENT ON FUNCTION "private"."unwrap_metadata"(jsonb) IS 'Returns the metadata that a person gave at sign-up.';

COMMENT ON FUNCTION "private"."update_player_area"() IS 'Keeps the area of everyone with a window where an index finds it, and queues them for matching.';

COMMENT ON FUNCTION "private"."use_allowance"(uuid, date, boolean) IS 'Counts a drop of a person on a day, by the current rules, and returns the day as private.read_allowance does.';

COMMENT ON FUNCTION "private"."use_token"(bytea) IS 'Returns the token with a hash, unless it has expired, and records when it was used; no row if there is none.';

COMMENT ON FUNCTION "private"."verified_streaks"(uuid, date, date) IS 'Returns the lengths of a person''s runs of consecutive dates with a verified check-in, between two dates (both included).';

COMMENT ON FUNCTION "private"."visibility_of"(uuid, uuid, uuid, uuid) IS 'Returns the effective visibility that an audience came from. Nullable: p_team_id, p_org_id.';

COMMENT ON FUNCTION "private"."wait_for_account_deletions"() IS 'Makes deletions of accounts run one at a time.';

COMMENT ON FUNCTION "private"."week_start"(date) IS 'Returns the Monday of the week of a date.';

COMMENT ON FUNCTION "private"."withdraw_from_exports"(uuid[]) IS 'Expires the exports of people, and restarts those that are being built, because they have texts of someone who is erased.';

COMMENT ON FUNCTION "private"."withdrawn_shares"() IS 'Returns ids of what is no longer shared with the caller, although the entries still have its audience.';

COMMENT ON FUNCTION "private"."write_chains"(date, jsonb) IS 'Writes what matching changed on a date, each table in one statement.';

COMMENT ON FUNCTION "private"."write_names_of_new_members"() IS 'Stores the names of new members.';

COMMENT ON FUNCTION "private"."written_days"(private.own_entry[]) IS 'The days of entries, in any order.';

COMMENT ON FUNCTION "public"."get_user_token_usage_monthly"(uuid, integer, integer) IS 'Returns a person''s own token usage of a month to the data API, and that of everyone to the service role.';

COMMENT ON PROCEDURE "private"."begin_as_user"(uuid, boolean, boolean, boolean, uuid) IS 'Begins a person''s transaction: sets role and identity, and locks the profile, or only looks for it if the transaction reads.';

COMMENT ON PROCEDURE "private"."begin_on_replica"(uuid, text, pg_lsn) IS 'Begins a person''s transaction that reads from a replica, if that has everything up to two positions.';

COMMENT ON SCHEMA "nectar" IS 'The tables of the service. Never exposed through a data API.';

COMMENT ON SCHEMA "private" IS 'Policy helpers, idempotency keys and job runs. Never exposed through a data API.';

COMMENT ON TABLE "nectar"."accounts" IS 'What only the person and the service may see.';

COMMENT ON TABLE "nectar"."audit_events" IS 'What admins changed. Append-only, and kept for as long as the service exists.';

COMMENT ON TABLE "nectar"."badge_definitions" IS 'The badge ladder. A person has the highest level all of whose minima they meet; a null minimum asks for nothing.';

COMMENT ON TABLE "nectar"."badge_milestones" IS 'When each level was reached. A level that was skipped has its row too.';

COMMENT ON TABLE "nectar"."battles" IS 'The battle of a week. Chips, members and power are those at its end; until then they are computed on reading.';

COMMENT ON TABLE "nectar"."blocks" IS 'A person and another one that they blocked. Deleted with either account.';

COMMENT ON TABLE "nectar"."chains" IS 'Who plays on a date: the neighbors in the chain, team, squad, and the window as it was matched. Written by private.write_chains.';

COMMENT ON TABLE "nectar"."conversion_rates" IS 'Append-only: how many tokens one drop is worth. The newest effective_date counts, for a use the newest that is not after it.';

COMMENT ON TABLE "nectar"."drop_templates" IS 'Drops that may be sent once they are approved.';

COMMENT ON TABLE "nectar"."drop_transactions" IS 'Append-only ledger of drops; the newest balance_after is the balance.';

COMMENT ON TABLE "nectar"."encouragement_allowances" IS 'What a person had and used on a day (UTC). Written only by functions, under its lock.';

COMMENT ON TABLE "nectar"."encouragement_config" IS 'The one row of rules for encouragement drops.';

COMMENT ON TABLE "nectar"."encouragement_drops" IS 'Drops that were sent, with a copy of their text.';

COMMENT ON TABLE "nectar"."entry_backgrounds" IS 'Images drawn for entries, at most one each, or for text that was not saved.';

COMMENT ON TABLE "nectar"."entry_pictures" IS 'The pictures of entries, in the order of their positions from 0.';

COMMENT ON TABLE "nectar"."exports" IS 'What people exported of their data. Written by definer functions alone.';

COMMENT ON TABLE "nectar"."goal_check_in_contents" IS 'The notes of a check-in, one row each; seen with the content of the goal.';

COMMENT ON TABLE "nectar"."goal_check_ins" IS 'How it went with a goal on a day.';

COMMENT ON TABLE "nectar"."goal_contents" IS 'The description of a goal, one row each, guarded by a policy of its own. Written by a trigger, apart from the description.';

COMMENT ON TABLE "nectar"."goal_pauses" IS 'When a goal was not active. Written by private.set_goal_status.';

COMMENT ON TABLE "nectar"."goals" IS 'What may be known about a goal: its metadata.';

COMMENT ON TABLE "nectar"."invitations" IS 'Invitations to organizations. Deleted with the organization, with the account that has the address, and 30 days after they expire; those that have ended also with the account of the inviter.';

COMMENT ON TABLE "nectar"."journal_entries" IS 'What may be known about an entry: its metadata.';

COMMENT ON TABLE "nectar"."journal_entry_contents" IS 'The text of an entry, one row each, guarded by a policy of its own.';

COMMENT ON TABLE "nectar"."journal_imports" IS 'Archives of entries that people import, and how far each has come.';

COMMENT ON TABLE "nectar"."member_names" IS 'The names of the human members of organizations, with a row for each word. Kept by triggers.';

COMMENT ON TABLE "nectar"."moderation_appeals" IS 'What people appealed, and what an admin answered. Deleted with the decision, and with the account of the person.';

COMMENT ON TABLE "nectar"."moderation_decisions" IS 'What admins decided about reported things and, by rejecting them, about check-ins, and why. Deleted with the account of the owner of the thing.';

COMMENT ON TABLE "nectar"."monthly_drop_awards" IS 'The months for which a person was given drops, at most one row per month.';

COMMENT ON TABLE "nectar"."mosaic_sections" IS 'One person in a mosaic. Where their piece is follows from position and number of participants.';

COMMENT ON TABLE "nectar"."mosaics" IS 'A date in one picture, as it was when it was last drawn.';

COMMENT ON TABLE "nectar"."note_analyses" IS 'What a model found in a person''s recent notes, one row per UTC day. Only that person sees it.';

COMMENT ON TABLE "nectar"."note_analysis_sources" IS 'Which notes the model read for an analysis.';

COMMENT ON TABLE "nectar"."notebook_contents" IS 'The template of a notebook, one row each, guarded by a policy of its own. Written by a trigger, apart from the template.';

COMMENT ON TABLE "nectar"."notebooks" IS 'A person''s notebooks; entries inherit their visibility.';

COMMENT ON TABLE "nectar"."notification_settings" IS 'How people want to be reached. Times are local times of the zone in their profile.';

COMMENT ON TABLE "nectar"."notifications" IS 'Notifications in the app. Written by private.notify or by other security definer functions, in the transaction of what caused them.';

COMMENT ON TABLE "nectar"."organization_members" IS 'Everyone in an organization, including its owner.';

COMMENT ON TABLE "nectar"."organizations" IS 'Owned by exactly one member.';

COMMENT ON TABLE "nectar"."personal_tokens" IS 'Tokens of programs that people use. Deleted by their person, and 30 days after they expire.';

COMMENT ON TABLE "nectar"."profiles" IS 'The card of a person that everyone signed in may see.';

COMMENT ON TABLE "nectar"."push_subscriptions" IS 'Devices that are subscribed to push messages (RFC 8030). Written by private.subscribe_device.';

COMMENT ON TABLE "nectar"."reports" IS 'What people reported. Deleted with the account of the reporter or of the owner of the thing, but not with the thing.';

COMMENT ON TABLE "nectar"."squads" IS 'Three players of one team and area on a date. Once the squad plays, a member who leaves is replaced only when another player is free.';

COMMENT ON TABLE "nectar"."subscriptions" IS 'Subscriptions at the payment processor, as of its newest event.';

COMMENT ON TABLE "nectar"."synthetic_users" IS 'Which people are synthetic, and how they play. Their window and location are rows like everyone''s.';

COMMENT ON TABLE "nectar"."team_colors" IS 'The team of a person in a calendar week.';

COMMENT ON TABLE "nectar"."team_members" IS 'Everyone in a team, including its primary admin; co-admins have the role admin too.';

COMMENT ON TABLE "nectar"."team_messages" IS 'Messages to the members of a team or to the squad of a date, and comments on entries and goals. They stay when their sender leaves; deleted with the sender''s account, and with the team, squad, entry or goal.';

COMMENT ON TABLE "nectar"."teams" IS 'A group inside one organization, looked after by its primary admin.';

COMMENT ON TABLE "nectar"."token_usage" IS 'Append-only: every call of an external model, and what it cost.';

COMMENT ON TABLE "nectar"."tone_pack_images" IS 'The image of a pack for a tone.';

COMMENT ON TABLE "nectar"."tone_pack_purchases" IS 'Who bought which pack; ended when the purchase is refunded.';

COMMENT ON TABLE "nectar"."tone_pack_shares" IS 'Users that a pack is shared with.';

COMMENT ON TABLE "nectar"."tone_packs" IS 'Sets of images for tones, with their owners and prices.';

COMMENT ON TABLE "nectar"."trashed_entries" IS 'Entries that their authors deleted, as they were. Visible to the author alone, until housekeeping removes them.';

COMMENT ON TABLE "nectar"."user_badges" IS 'One row for each person: level and what counts for it. Written by private.advance_badges.';

COMMENT ON TABLE "nectar"."user_locations" IS 'Where a person says they are; decides who they are matched with.';

COMMENT ON TABLE "nectar"."user_roles" IS 'Service-wide roles. No row means user. No user can write it.';

COMMENT ON TABLE "nectar"."weekly_workout_stats" IS 'The results of a person''s days of a week, by game date. Only the person reads their own.';

COMMENT ON TABLE "nectar"."wellness_entries" IS 'Satisfaction, action notes and sleep of a person.';

COMMENT ON TABLE "nectar"."workout_checkin_photos" IS 'The photo of a check-in: its file, where it was taken, how it looks, and what is odd about it. Only its owner and admins may read it.';

COMMENT ON TABLE "nectar"."workout_checkins" IS 'One for each person and game date: that they did it, and what it earned. Everyone signed in may read it, except what admins wrote about it.';

COMMENT ON TABLE "nectar"."workout_windows" IS 'The two hours of the day in which a person plays; one row per person.';

COMMENT ON TABLE "private"."assistant_turns" IS 'The latest turn of a person with each job of the assistant.';

COMMENT ON TABLE "private"."battle_announcements" IS 'Battles that are over and whose members have not all been notified. They are notified in the order of their ids.';

COMMENT ON TABLE "private"."email_events" IS 'Events of the mail provider that were processed, so that none is processed twice. Unverified ones have ids of their own; otherwise a forged event could use the id of a real one. Kept for 30 days.';

COMMENT ON TABLE "private"."email_messages" IS 'Mails that people had sent: to count them, to follow their delivery and to show them to their senders. No text of a mail. Kept for 30 days.';

COMMENT ON TABLE "private"."email_policy" IS 'The addresses that people may write to: any address, members of their organizations, or self. One row; the function that sends mail stores its configuration here, so that no request of a person can choose a policy.';

COMMENT ON TABLE "private"."email_received" IS 'Mail to us, for admins to read. Unverified rows may be forged until their text was fetched from the provider. Kept for 30 days.';

COMMENT ON TABLE "private"."email_suppressions" IS 'Addresses that get no mail any more. Deleting a row allows mail again.';

COMMENT ON TABLE "private"."erased_totals" IS 'The one row with the sums of drops of all deleted accounts.';

COMMENT ON TABLE "private"."erasure_receipts" IS 'Mails to people whose accounts are erased. Deleted when they are sent.';

COMMENT ON TABLE "private"."game_notices" IS 'Notifications about a game date that are sent once, so that a job that runs twice does not repeat them.';

COMMENT ON TABLE "private"."idempotency_keys" IS 'Responses to requests with an Idempotency-Key, kept for 24 hours.';

COMMENT ON TABLE "private"."imported_entries" IS 'What a person has imported once is not imported again, also after the entry was deleted.';

COMMENT ON TABLE "private"."job_runs" IS 'One row for every run of a scheduled job.';

COMMENT ON TABLE "private"."jobs" IS 'Since when each scheduled job is known, so that one that has not run yet is not late at once.';

COMMENT ON TABLE "private"."kept_suspensions" IS 'Until when accounts with an address are suspended, because an erased account with it was. Deleted when the suspension ends.';

COMMENT ON TABLE "private"."leaderboard_checkpoints" IS 'How many people were ahead of every 256th person behind the first thousand.';

COMMENT ON TABLE "private"."leases" IS 'One row for every job or task that a process is working on.';

COMMENT ON TABLE "private"."logged_reads" IS 'Who read an entry or a goal by nothing but the role of a super admin: one row for each thing, reader and UTC day, kept for a year.';

COMMENT ON TABLE "private"."open_days" IS 'The rows of nectar.chains whose end of the day was not processed yet. Not a column of the chains: changing it would write all their indexes, which took half of the time of ending a day. Kept by triggers.';

COMMENT ON TABLE "private"."payment_events" IS 'Events of the payment processor that were processed, so that none is processed twice.';

COMMENT ON TABLE "private"."player_areas" IS 'The area of everyone who has a window, as private.area_key computes it.';

COMMENT ON TABLE "private"."players_to_match" IS 'Players to match again on current and coming dates because their window or area changed, a neighbor is gone, or they blocked a player of their area. Queued by the change itself, removed once matched.';

COMMENT ON TABLE "private"."push_deliveries" IS 'The outbox: which notification goes to which device, and how far it got. Kept for a week.';

COMMENT ON TABLE "private"."quota_uses" IS 'How much of a quota a person used in its newest period. Written by private.consume_quota alone.';

COMMENT ON TABLE "private"."stored_files_to_remove" IS 'Files in the object stores that no row owns, and from when on they may be removed.';

COMMENT ON TABLE "private"."subscriptions_to_cancel" IS 'Subscriptions of erased people: created on an open payment page after the erasure, or not cancelled within a week. Deleted when they are cancelled at the processor.';

COMMENT ON TABLE "private"."unsettled_shares" IS 'Changes of who sees entries, whose entries are not all written yet: of a notebook, of the membership of a user in a group, or of a deleted group (without user). Policies ask it, so that a share is withdrawn by one row, however many entries have it. The task "shares" writes the entries and deletes the row.';

COMMENT ON TYPE "nectar"."moderation_state" IS 'Whether an admin has hidden something.';

COMMENT ON TYPE "nectar"."mood_source" IS 'Whether the author chose a mood, or a model found it in the content.';

COMMENT ON TYPE "nectar"."token_usage_month" IS 'One month of a person: `YYYY-MM`, sums, what the tokens are worth in drops (two decimals), and for tone, images, packs, assistant and analysis tokens, cost_usd and count.';

COMMENT ON TYPE "private"."axis_audience" IS 'Who sees the metadata or the content of an entry or a goal. Nullable: inherited_from, team, organization, people.';

COMMENT ON TYPE "private"."badge" IS 'The level of a person and what counts for it. Nullable: last_sent_on.';

COMMENT ON TYPE "private"."card" IS 'A user with their name and picture. Nullable: full_name, avatar_url.';

COMMENT ON TYPE "private"."chain_of_day" IS 'The neighbors and the squad of a person on a date, the cards of all of them, and check-ins. Nullable: before_user_id, after_user_id, squad.';

COMMENT ON TYPE "private"."check_in_facts" IS 'A check-in that is about to be written, with what follows from its chain and the days before. replaced_id is the rejected check-in that it replaces; is_counted says whether a battle has ended with that one.';

COMMENT ON TYPE "private"."chip_parts" IS 'The chips of a check-in, part by part: earned is raw rounded down.';

COMMENT ON TYPE "private"."days_in_state" IS 'Dates with the same state, each as the number of days since 1970-01-01.';

COMMENT ON TYPE "private"."drop_sender" IS 'Who sent a drop. Nullable: full_name, avatar_url.';

COMMENT ON TYPE "private"."ended_day" IS 'A day of a player that is over, and what it counts as.';

COMMENT ON TYPE "private"."erasure" IS 'What erasing an account would do, and when it is scheduled. Nullable: scheduled.';

COMMENT ON TYPE "private"."named" IS 'A team or an organization with its name.';

COMMENT ON TYPE "private"."notification_choices" IS 'Settings as the API sends them. Nullable: quiet_hours, journal_reminder.';

COMMENT ON TYPE "private"."notification_page" IS 'Notifications, newest first, and how many are unread.';

COMMENT ON TYPE "private"."organization_role" IS 'A person''s role in an organization.';

COMMENT ON TYPE "private"."own_entry" IS 'What statistics need of an entry. written_at is in seconds since 1970; the mood is the author''s, or else the one that was found. Nullable: mood.';

COMMENT ON TYPE "private"."own_profile" IS 'Nullable: email, full_name, avatar_url, suspended_until.';

COMMENT ON TYPE "private"."player_card" IS 'What players see of the others who play on a date, with the window as it was matched. Nullable: full_name, avatar_url, custom_activity.';

COMMENT ON TYPE "private"."received_drop" IS 'A drop as its recipient sees it. Nullable: template_id, title, media_type, media_url, thumbnail_url, read_at, entry_id, goal_id.';

COMMENT ON TYPE "private"."received_invitation" IS 'An invitation as the invited person sees it.';

COMMENT ON TYPE "private"."reconciliation" IS 'Sums of all balances and movements in drops, and what does not add up.';

COMMENT ON TYPE "private"."recorded_check_in" IS 'A new check-in, and whether the next person was notified of it.';

COMMENT ON TYPE "private"."seen_check_in" IS 'A check-in as the caller may see it. Nullable: chain_id, custom_activity, photo_timestamp, team_color, photo_key, location_lat, location_lng, flags, reviewed_at, review_reason.';

COMMENT ON TYPE "private"."seen_picture" IS 'A picture of an entry whose content the caller sees. Nullable: caption.';

COMMENT ON TYPE "private"."sent_appeal" IS 'An appeal as the API sends it. Nullable: answer, decided_at.';

COMMENT ON TYPE "private"."sent_drop" IS 'A drop that was sent, and what its sender has after it.';

COMMENT ON TYPE "private"."sent_location" IS 'Where a person says they are. Nullable: ip_address, latitude, longitude, city, region, country, timezone.';

COMMENT ON TYPE "private"."sent_message" IS 'A message or a comment. Nullable: team_id, squad_id, entry_id, goal_id.';

COMMENT ON TYPE "private"."sent_notification" IS 'A notification without its text, which follows from type and data. Nullable: read_at.';

COMMENT ON TYPE "private"."sent_report" IS 'A report without what it is about. Nullable: details, decided_at.';

COMMENT ON TYPE "private"."sent_window" IS 'A window with local times as HH:MM:SS. Nullable: custom_activity, previous_activity_type, previous_custom_activity, previous_window_start_time, previous_window_end_time, previous_timezone.';

COMMENT ON TYPE "private"."shown_goal" IS 'A goal as the caller sees it. A description that the caller may not see is null. Nullable: description, target_date, weekdays, team_id, org_id, moderation.';

COMMENT ON TYPE "private"."squad_of_day" IS 'The members of a squad, null for those who left. Nullable: user_1_id, user_2_id, user_3_id.';

COMMENT ON TYPE "private"."started_check_in" IS 'What a photo is compared with, and the file for it. Nullable: window, home.';

COMMENT ON TYPE "private"."team_role" IS 'A person''s role in a team.';

COMMENT ON TYPE "private"."user_page" IS 'A user as others see them. Synthetic users have no badge. Nullable: full_name, avatar_url, badge_level.';

COMMENT ON TYPE "private"."wellness_averages" IS 'They have two decimals. Nullable: satisfaction_average, sleep_hours_average.';

COMMENT ON TYPE "private"."written_day" IS 'A day with entries, and its most frequent mood: the last one of those that are equally frequent. Nullable: mood.';

COMMENT ON VIEW "nectar"."drop_objects" IS 'Drops as their recipients see them.';

COMMENT ON VIEW "nectar"."readable_drops" IS 'Drops with the cards of their sender and their recipient.';

COMMENT ON VIEW "private"."audience_members" IS 'Every group that can be an audience, with its members. Both directions read it: the audiences of a reader, and the readers of an audience.';

COMMENT ON VIEW "private"."next_badges" IS 'The engagements without which a badge of a level cannot rise.';

REVOKE ALL ON FUNCTION "private"."accept_invitation"(bytea, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."accept_invitation"(bytea, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."activate_tone_pack"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."activate_tone_pack"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."actor_id"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."actor_id"() TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."add_erased_balances"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."add_erased_movements"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."adjust_drops"(uuid, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."adjust_drops"(uuid, integer, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."adopt_entry_audiences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_badges"(jsonb, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."allow_own_mail"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."allow_own_mail"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."analysis_for_message"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."analysis_for_message"(uuid) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."appeal_to_send"(nectar.moderation_appeals) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."appeal_until"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."appeal_until"(timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."apply_block"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."apply_decisions"(nectar.moderation_decisions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."archive_to_import"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."archive_to_import"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."are_both_in"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."area_key"(text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."assistant_range_ends"(nectar.assistant_job, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."assistant_range_ends"(nectar.assistant_job, timestamp with time zone, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."audience"(nectar.journal_entries, nectar.notebooks) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audience_of"(nectar.visibility, uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audiences_despite_own_blocks"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audiences_in_notebook"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."audiences_in_notebook"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."audiences_of_scope"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."audiences_of_scope"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."award_monthly_batch"(date, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."award_monthly_batch"(date, uuid, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."award_monthly_drops"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."award_monthly_drops"(timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."axes_seen_by"(uuid, nectar.journal_entries, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."badge_stats"(nectar.user_badges, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."battle_days"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."battle_days"(date) TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."battle_members"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."battle_members"(date) TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."battle_totals"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."battle_totals"(date) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."blocked_users"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."blocked_users"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."book_monthly_awards"(jsonb, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."bootstrap_role"(uuid, text, nectar.user_role) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."bootstrap_role"(uuid, text, nectar.user_role) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."can_see_content"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_see_content"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."can_see_entry"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_see_entry"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."can_see_goal"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_see_goal"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."can_see_goal_content"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_see_goal_content"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."can_see_person"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."can_see_person"(uuid, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."cancel_for_erased_person"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."cancel_for_erased_person"(uuid, text) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."cancel_note_analysis"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."cancel_note_analysis"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."canonical_time_zone"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_status"(uuid, date, timestamp with time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."change_team_admin"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."change_team_admin"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."change_user_role"(uuid, nectar.user_role) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."change_user_role"(uuid, nectar.user_role) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."check_entry_date"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_import_batch"(uuid, integer, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."check_import_batch"(uuid, integer, jsonb) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."check_in"(jsonb, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."check_in"(jsonb, timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."check_in_details"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."check_in_details"(uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."check_ins_of"(uuid[], date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."check_ins_of"(uuid[], date) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."check_ins_to_recount"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_moment"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chip_breakdown"(nectar.checkin_status, nectar.chain_status, boolean, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_assistant_turn"(uuid, nectar.assistant_job, uuid, timestamp with time zone, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_assistant_turns"(nectar.assistant_job, timestamp with time zone, uuid, integer, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claim_assistant_turns"(nectar.assistant_job, timestamp with time zone, uuid, integer, uuid) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."claim_erasure_receipt"(boolean, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claim_erasure_receipt"(boolean, timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."claim_export"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claim_export"(uuid, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."claim_import"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claim_import"(uuid) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."claim_picture_upload"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claim_picture_upload"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."claim_push_deliveries"(integer, integer, integer, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claim_push_deliveries"(integer, integer, integer, timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."claim_received_email"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."claim_received_email"(timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."clear_active_tone_pack"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clear_blocked_tone_packs"(nectar.blocks) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clear_removed_tone_pack"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_days"(timestamp with time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."confirmed_address"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consume_quota"(text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."consume_quota"(text, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."content_audience"(uuid, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."content_audience"(uuid, uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."content_keys"(uuid, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."content_keys"(uuid, text, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."continue_suspension"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."copy_audiences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."copy_entry_audiences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_comments"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_email"(text, text, text, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_leaderboard"(timestamp with time zone, bigint, bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_leaderboard"(timestamp with time zone, bigint, bigint) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."count_moods"(private.own_entry[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_moods"(private.own_entry[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."count_pictures"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_players"(date, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_players"(date, timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."count_readers"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_sent_drop"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_streak"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_tags"(private.own_entry[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_tags"(private.own_entry[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."count_week"(date, timestamp with time zone, integer, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_week"(date, timestamp with time zone, integer, uuid[]) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."count_words"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."count_words"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_appeal"(uuid, text, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_appeal"(uuid, text, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_block"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_block"(uuid, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_email_message"(text, text, text, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_email_message"(text, text, text, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_entry"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_entry"(jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_export"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_export"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_import"(nectar.import_source, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_import"(nectar.import_source, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_report"(jsonb, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_report"(jsonb, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_synthetic_users"(jsonb, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_synthetic_users"(jsonb, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."create_token"(text, nectar.token_scope[], bytea, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_token"(text, nectar.token_scope[], bytea, text, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."current_run"(integer, date, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."current_streak"(uuid, integer, date, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."current_streak"(uuid, integer, date, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."date_of"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."date_of"(uuid, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."day_state"(nectar.checkin_status, timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."day_state"(nectar.checkin_status, timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, integer) TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."decline_invitation"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decline_invitation"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."decline_organization"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decline_organization"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."delete_accounts_one_at_a_time"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_address"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_comments"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_empty_squad"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_findings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_images_of_purchases"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_mail_of_address"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_message"(uuid, uuid, uuid, uuid, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."delete_message"(uuid, uuid, uuid, uuid, date) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."delete_sign_ins"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_stored_responses"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_stored_responses_of_blocks"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_stored_responses_of_invitations"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_synthetic_user"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."delete_synthetic_user"(uuid, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."delete_tone_pack"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."delete_tone_pack"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."delete_unused_images"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."deleted_groups"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."discard_archive"(nectar.journal_imports) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."discard_export"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."discard_file"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."discard_import"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."discard_mosaic"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."earliest_entries_of_notebook"(uuid, text, date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."earliest_entries_of_notebook"(uuid, text, date, timestamp with time zone, uuid, date, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."earliest_public_journal_entries"(uuid[], date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."earliest_visible_journal_entries"(text, date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."earliest_visible_journal_entries"(text, date, timestamp with time zone, uuid, date, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."effective_visibility"(nectar.visibility, uuid, uuid, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."email_address_hash"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."email_address_hash"(text) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."email_limits"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_battle"(date, timestamp with time zone, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_battle"(date, timestamp with time zone, jsonb) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."end_days"(timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_days"(timestamp with time zone, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."end_import"(uuid, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."end_import"(uuid, jsonb) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."end_tone_pack_purchase"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_tone_pack_share"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_weeks"(date, uuid[], nectar.weekly_workout_stats[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enroll_owner"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enroll_team_admin"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."entries_within_bytes"(uuid[], bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."entries_within_bytes"(uuid[], bigint) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."entry_candidates"(jsonb, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."entry_candidates"(jsonb, jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."entry_of_picture"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."entry_of_picture"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."entry_page"(jsonb, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."entry_page"(jsonb, jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."entry_page_start"(jsonb, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."entry_page_start"(jsonb, jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."entry_share"(nectar.visibility, nectar.visibility, nectar.journal_entries, nectar.notebooks, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erase_account"(uuid, text[], timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."erase_account"(uuid, text[], timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."erase_rows"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."erase_rows"(uuid, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."expect_file"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."expect_mosaic"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."expect_mosaic"(date) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."expect_new_file"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."expect_new_file"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."expect_tone_image"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."expect_tone_image"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."expire_exports"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."expire_exports"(integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."expire_received_emails"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."expire_received_emails"(timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."expire_rejected_photos"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."expire_rejected_photos"(integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."facts_of_check_ins"(jsonb, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_entries"(text[], boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."find_entries"(text[], boolean) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."find_invitation"(bytea, uuid, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."finish_export"(uuid, uuid, bigint, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."finish_export"(uuid, uuid, bigint, text) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."first_entry_day"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."first_instant"(timestamp without time zone, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."first_instant"(timestamp without time zone, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."forget_check_in_photo"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."forget_check_in_photo"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."gets_no_mail"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."give_first_badges"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."give_organization"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."grant_encouragement_bonus"(jsonb, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hand_over_account"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hand_over_organization"(uuid, uuid, uuid[], uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hand_over_organizations"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hand_over_team"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_block"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_other_range"(jsonb, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_other_range"(jsonb, jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."has_profile"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_profile"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."has_streak"(uuid, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_token"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_token"(uuid, boolean) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."have_notes_changed"(private.assistant_turns, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hidden_since"(uuid, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."import_entries"(uuid, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."import_entries"(uuid, jsonb) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."inherits_visibility"(nectar.visibility, boolean, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."insert_imported"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."insert_synthetic_users"(jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."invitation_status"(timestamp with time zone, integer, integer, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."invitation_status"(timestamp with time zone, integer, integer, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."invitee"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_admin"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_admin"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_all_within"(uuid[], uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_blocked_by"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_checked_in"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_checked_in"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_due"(smallint[], date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_final_subscription_status"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_final_subscription_status"(text) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."is_human"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_human"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_imported"(nectar.journal_imports, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_in_scope"(text, uuid[], uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_in_scope"(text, uuid[], uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_in_squad"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_in_squad"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_known_member"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_known_member"(uuid, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_mailbox_of"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_off"(datemultirange, jsonb, date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_other_super_admin_left"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_photo_seen"(bit) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_primary_admin"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_primary_admin"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_program"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_quiet"(time without time zone, time without time zone, time without time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_reached"(uuid, uuid, uuid[], uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_reached"(uuid, uuid, uuid[], uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_super_admin"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_super_admin"() TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_unsettled"(uuid, uuid, uuid, uuid, uuid, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_unsettled"(uuid, uuid, uuid, uuid, uuid, uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_withdrawn"(uuid, uuid, boolean, uuid, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_withdrawn"(uuid, uuid, boolean, uuid, uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."is_within"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."job_states"(text[], timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."job_states"(text[], timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."join_battle"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."judge_push_deliveries"(uuid[], uuid[], integer, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_archive"(text, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_file"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_owner_in"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_suspension"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."kept_suspension"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."known_zone"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."known_zone"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."last_before_preview"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."last_entry_day"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."latest_entries_of_notebook"(uuid, text, date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."latest_entries_of_notebook"(uuid, text, date, timestamp with time zone, uuid, date, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."latest_public_journal_entries"(uuid[], date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."latest_visible_journal_entries"(text, date, timestamp with time zone, uuid, date, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."latest_visible_journal_entries"(text, date, timestamp with time zone, uuid, date, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."leaderboard_rank"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."leaderboard_rank"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."leave_tone_packs_to_buyers"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ledger_differences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lets_assistant_serve"(nectar.accounts, nectar.assistant_job) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."list_badges"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_badges"(uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_check_ins"(date, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_check_ins"(date, timestamp with time zone, uuid, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_goals"(text, nectar.goal_status, timestamp with time zone, uuid, integer, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_goals"(text, nectar.goal_status, timestamp with time zone, uuid, integer, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_leaderboard"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_leaderboard"(integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_messages"(uuid, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_messages"(uuid, timestamp with time zone, uuid, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_my_invitations"(timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_my_invitations"(timestamp with time zone, uuid, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_notifications"(uuid, boolean, timestamp with time zone, uuid, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_notifications"(uuid, boolean, timestamp with time zone, uuid, integer, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_people"(text, uuid, text, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_people"(text, uuid, text, uuid, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_pictures"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_pictures"(uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_received_drops"(uuid, boolean, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_received_drops"(uuid, boolean, timestamp with time zone, uuid, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."lock_battle"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_battle"(date) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."lock_check_in"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_commented"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_commented"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."lock_for_check_ins"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_for_review"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_for_review"(uuid) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."lock_group"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_group"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."lock_importer"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_invitee"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_invitee"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."lock_membership"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_membership"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."lock_memberships"(uuid, uuid[], uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_moderation"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_moderation"(uuid) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."lock_pair"(uuid, uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_pair"(uuid, uuid, boolean) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."lock_profile"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_profile"(uuid) TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."lock_profiles"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_profiles"(uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."lock_recounted"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_report"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_report"(uuid) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."lock_writer"(uuid, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lock_writer"(uuid, boolean, boolean) TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."log_reads"(uuid[], boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."log_reads"(uuid[], boolean) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."lowercase_tags"(text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lowercase_tags"(text[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."match_again"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."matching_entries"(jsonb, uuid[], integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."matching_entries"(jsonb, uuid[], integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."matching_lock"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."matching_lock"(date) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."max_analyses_per_day"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."max_attempts_per_turn"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."max_settled_at_once"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."max_settled_at_once"() TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."may_email"(uuid, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_use_tone_pack"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."member_share"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."member_share"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."metadata_keys"(uuid, text, text[], text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."metadata_keys"(uuid, text, text[], text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."moment_tolerance"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."monthly_drops"(boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mood_term"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."mood_term"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."mosaics_to_draw"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."mosaics_to_draw"(timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."move_picture"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."move_picture"(uuid, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."my_administered_team_ids"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_administered_team_ids"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."my_audiences"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_audiences"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."my_content_audiences"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_content_audiences"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."my_organization_ids"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_organization_ids"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."my_organization_role"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_organization_role"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."my_owned_organization_ids"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_owned_organization_ids"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."my_team_role"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_team_role"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."my_tone_pack_ids"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_tone_pack_ids"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."name_words"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newest_entries_of_notebook"(uuid, text, timestamp with time zone, uuid, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."newest_entries_of_notebook"(uuid, text, timestamp with time zone, uuid, timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."newest_notes"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newest_public_goals"(uuid[], timestamp with time zone, uuid, timestamp with time zone, nectar.goal_status, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newest_public_journal_entries"(uuid[], timestamp with time zone, uuid, timestamp with time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newest_public_notebooks"(uuid[], timestamp with time zone, uuid, timestamp with time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."newest_visible_goals"(text, timestamp with time zone, uuid, timestamp with time zone, nectar.goal_status, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."newest_visible_goals"(text, timestamp with time zone, uuid, timestamp with time zone, nectar.goal_status, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."newest_visible_journal_entries"(text, timestamp with time zone, uuid, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."newest_visible_journal_entries"(text, timestamp with time zone, uuid, timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."newest_visible_notebooks"(text, timestamp with time zone, uuid, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."newest_visible_notebooks"(text, timestamp with time zone, uuid, timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."next_drop_time"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_entries"(jsonb, jsonb, date, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."next_entries"(jsonb, jsonb, date, timestamp with time zone, uuid, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."next_open_drops"(timestamp with time zone, uuid, uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_reminder"(text, time without time zone, smallint[], date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notes_fingerprint"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notes_for_analysis"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."notes_for_analysis"(uuid, timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."notes_since"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notes_state"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notes_version"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify"(uuid, nectar.notification_type, jsonb, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."notify"(uuid, nectar.notification_type, jsonb, uuid) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."notify_added_member"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_battle_progress"(private.ended_day[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_battle_results"(date, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."notify_battle_results"(date, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."notify_broken_chains"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_invitee"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_of_chains"(date, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_of_check_ins"(uuid[], timestamp with time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_of_comment"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_of_goal_check_in"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_of_message"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_room"(uuid, uuid[], nectar.notification_type, jsonb, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."oldest_entries_of_notebook"(uuid, text, timestamp with time zone, uuid, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."oldest_entries_of_notebook"(uuid, text, timestamp with time zone, uuid, timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."oldest_public_journal_entries"(uuid[], timestamp with time zone, uuid, timestamp with time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."oldest_visible_journal_entries"(text, timestamp with time zone, uuid, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."oldest_visible_journal_entries"(text, timestamp with time zone, uuid, timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."open_account"(uuid, text, jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_battle"(date, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."open_battle"(date, timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."open_current_battle"(date, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."open_current_battle"(date, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."open_days_of_chains"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_subscriptions"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_synthetic_turns"(timestamp with time zone, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."open_synthetic_turns"(timestamp with time zone, timestamp with time zone, uuid, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."open_tables_to_realtime"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."own_entries"(date, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_entries"(date, date) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."own_thing"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pack_differences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."pass_on_invitations"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."person_with_email"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."person_with_email"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."photo_bands"(bit) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plan_changed_reminder"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."player_cards"(date, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."player_cards"(date, uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."player_record"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."player_record"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."players_around"(date, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."post_drop_transaction"(uuid, nectar.drop_transaction_type, integer, text, text, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."post_drop_transactions"(jsonb, nectar.drop_transaction_type, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."present_badge"(nectar.user_badges) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."present_badge"(nectar.user_badges) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."present_invitation"(nectar.invitations) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."preview_audience"(uuid, uuid, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."preview_audience"(uuid, uuid, jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."preview_invitation"(bytea) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."preview_invitation"(bytea) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."preview_limit"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."preview_notebook_audience"(uuid, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."preview_notebook_audience"(uuid, jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."process_engagement"(timestamp with time zone, uuid, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."process_engagement"(timestamp with time zone, uuid, uuid, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."public_audience"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."public_audience"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."purchase_tone_pack"(uuid, bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."purchase_tone_pack"(uuid, bigint) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."push_setting"(nectar.notification_type, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."push_setting"(nectar.notification_type, jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."queue_blocked_players"(nectar.blocks) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_pushes"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."quiet_until"(text, time without time zone, time without time zone, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."quotas"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_allowance"(uuid, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_allowance"(uuid, date) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_audience"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_audience"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_balance"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_balance"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_chain"(uuid, date, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_chain"(uuid, date, boolean) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_days"(timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_days"(timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_erasure"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_erasure"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_goal"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_goal"(uuid, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_journal_stats"(date, date, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_journal_stats"(date, date, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_location"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_location"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_matching"(date, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_matching"(date, uuid[]) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."read_mood_calendar"(integer, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_mood_calendar"(integer, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_notification_settings"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_notification_settings"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_profile"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_profile"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_user"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_user"(uuid, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_wellness_averages"(date, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_wellness_averages"(date, date) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_window"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_window"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."readers_of"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recalculate_badges"(uuid[], timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recalculate_my_badge"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."recalculate_my_badge"(timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."recalculate_recent_badges"(timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."recalculate_recent_badges"(timestamp with time zone, uuid, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."reconcile_drops"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."reconcile_drops"() TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."record_acting_member"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_acting_owner"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_appeal_decision"(uuid, nectar.appeal_status, text, uuid, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_appeal_decision"(uuid, nectar.appeal_status, text, uuid, timestamp with time zone, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."record_check_in"(jsonb, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_check_in"(jsonb, timestamp with time zone, integer) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."record_check_ins"(jsonb, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_check_ins"(jsonb, timestamp with time zone, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."record_decision"(uuid, uuid[], nectar.moderation_decision, text, timestamp with time zone, uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_decision"(uuid, uuid[], nectar.moderation_decision, text, timestamp with time zone, uuid, timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."record_email_event"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_email_event"(jsonb) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."record_email_result"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_email_result"(uuid, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."record_encouragement_drop"(jsonb, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_encouragement_drop"(jsonb, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."record_invitation"(uuid, jsonb, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_invitation"(uuid, jsonb, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."record_member_acted"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_member_acted"(uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."record_organization_update"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_owner_acted"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_push_results"(jsonb, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_push_results"(jsonb, timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."record_subscription_event"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."record_subscription_event"(jsonb) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."record_use_by_team"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recount_check_ins"(jsonb, timestamp with time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recount_messages"(nectar.blocks) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recount_streak"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recount_streaks"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."recount_streaks_of_check_ins"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refund_purchase"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."refund_purchase"(uuid, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."release_assistant_turn"(uuid, nectar.assistant_job, uuid, timestamp with time zone, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."release_assistant_turn"(uuid, nectar.assistant_job, uuid, timestamp with time zone, boolean) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."release_pushes_of_settings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_waiting_pushes"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_players"(timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."remind_players"(timestamp with time zone, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."remind_to_write"(timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."remind_to_write"(timestamp with time zone, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."remove_dead_device"(uuid, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."remove_dead_device"(uuid, text, text) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."replace_photo"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reportable_thing"(text, uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_erasure"(boolean, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."request_erasure"(boolean, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."require_commentable"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_commentable"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."require_drop_recipient"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_drop_recipient"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."require_open_goal"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_open_goal"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."require_picture_room"(uuid, integer, bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_picture_room"(uuid, integer, bigint) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."require_reachable"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."require_reachable"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."resolve_entry"(nectar.journal_entries, nectar.notebooks, uuid[], uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."restore_account"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."restore_account"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."restore_entry"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."restore_entry"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."review_check_in"(uuid, nectar.checkin_status, text, uuid, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."review_check_in"(uuid, nectar.checkin_status, text, uuid, timestamp with time zone, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."rewrite_member_names"(nectar.profiles) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."rfc3339"(timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."rfc3339"(timestamp with time zone) TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."same_day_of_earlier_years"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."same_day_of_earlier_years"(date) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."search_form"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."search_form"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."search_key"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."search_key"(uuid, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."search_keys"(uuid, text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."search_keys"(uuid, text[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."search_terms"(text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."search_terms"(text[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."seen_check_ins"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."seen_check_ins"(uuid[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."sees_thing"(uuid, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."sees_thing"(uuid, uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."sees_tone_pack"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."sees_tone_pack"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."sees_unshared"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."sees_unshared"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."send_assistant_drop"(uuid, timestamp with time zone, text, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."send_assistant_drop"(uuid, timestamp with time zone, text, text, uuid) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."send_encouragement_drop"(jsonb, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."send_encouragement_drop"(jsonb, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."send_message"(uuid, uuid, uuid, uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."send_message"(uuid, uuid, uuid, uuid, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."set_audiences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."set_entry_audiences"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."set_goal_status"(uuid, nectar.goal_status, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."set_goal_status"(uuid, nectar.goal_status, timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."settle"(uuid, uuid, uuid, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_deleted_group"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_entries"(private.unsettled_shares, integer, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settle_entries"(private.unsettled_shares, integer, boolean) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."settle_member"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settle_next"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settle_next"() TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."settle_notebook"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."settled_entry"(nectar.journal_entries) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."settled_entry"(nectar.journal_entries) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."share_battle"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."shares_organization"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."shares_organization"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."shown_goals"(uuid[], timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."shown_goals"(uuid[], timestamp with time zone) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."skip_blocked_notification"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sorted_candidates"(jsonb, jsonb, uuid[], date, timestamp with time zone, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."sorted_candidates"(jsonb, jsonb, uuid[], date, timestamp with time zone, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."start_check_in"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."start_check_in"(date) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."start_erasure"(uuid, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."start_erasure"(uuid, timestamp with time zone) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."start_import"(uuid, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."start_import"(uuid, text, boolean) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."store_mosaic"(date, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."store_mosaic"(date, jsonb) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."store_note_analysis"(uuid, uuid, timestamp with time zone, jsonb, uuid[], private.notes_state) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."store_note_analysis"(uuid, uuid, timestamp with time zone, jsonb, uuid[], private.notes_state) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."store_response"(text, text, text, smallint, text, uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."store_response"(text, text, text, smallint, text, uuid, boolean) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."subscribe_device"(text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."subscribe_device"(text, text, text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."suspend_user"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sync_account"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sync_file_of_row"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sync_open_day"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sync_premium"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sync_profile"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sync_settings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."system_user_id"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."system_user_id"() TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."tag_terms"(text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."tag_terms"(text[]) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."take_idempotency_key"(text, text, text, interval, interval) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."take_idempotency_key"(text, text, text, interval, interval) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."terms_within"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."terms_within"(text) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."thing"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."today"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."today"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."toggle_synthetic_user"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."toggle_synthetic_user"(uuid, boolean) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."token_usage_monthly"(uuid, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."token_usage_monthly"(uuid, integer, integer) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."touch_thing_of_content"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."touch_updated_at"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."transfer_organization"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."transfer_organization"(uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."trash_entry"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."trash_entry"(uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."trash_expires_at"(timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."undo_decision"(uuid, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unless_hidden"(nectar.visibility, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unsettled_entries"(private.unsettled_shares, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unsettled_sources"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unsettled_sources"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."unshare"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unused_bonus"(nectar.encouragement_allowances) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."unused_bonus"(nectar.encouragement_allowances) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."unwrap_metadata"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."update_player_area"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."use_allowance"(uuid, date, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."use_token"(bytea) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."use_token"(bytea) TO "nectar_api";

REVOKE ALL ON FUNCTION "private"."verified_streaks"(uuid, date, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."verified_streaks"(uuid, date, date) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."visibility_of"(uuid, uuid, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."visibility_of"(uuid, uuid, uuid, uuid) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."wait_for_account_deletions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."week_start"(date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."week_start"(date) TO "nectar_service", "nectar_user";

REVOKE ALL ON FUNCTION "private"."withdraw_from_exports"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdrawn_shares"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."withdrawn_shares"() TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."write_chains"(date, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."write_chains"(date, jsonb) TO "nectar_service";

REVOKE ALL ON FUNCTION "private"."write_names_of_new_members"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."written_days"(private.own_entry[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."written_days"(private.own_entry[]) TO "nectar_user";

REVOKE ALL ON PROCEDURE "private"."begin_as_user"(uuid, boolean, boolean, boolean, uuid) FROM PUBLIC;

GRANT EXECUTE ON PROCEDURE "private"."begin_as_user"(uuid, boolean, boolean, boolean, uuid) TO "nectar_api";

REVOKE ALL ON PROCEDURE "private"."begin_on_replica"(uuid, text, pg_lsn) FROM PUBLIC;

GRANT EXECUTE ON PROCEDURE "private"."begin_on_replica"(uuid, text, pg_lsn) TO "nectar_api";

GRANT USAGE ON SCHEMA "nectar" TO "nectar_service", "nectar_user";

GRANT USAGE ON SCHEMA "private" TO "nectar_api", "nectar_service", "nectar_user";

GRANT SELECT ("drops_balance") ON TABLE "nectar"."accounts" TO "nectar_service";

GRANT SELECT ("email") ON TABLE "nectar"."accounts" TO "nectar_service";

GRANT SELECT ("erases_at") ON TABLE "nectar"."accounts" TO "nectar_service";

GRANT SELECT ("erasure_attempts") ON TABLE "nectar"."accounts" TO "nectar_service";

GRANT SELECT ("is_premium") ON TABLE "nectar"."accounts" TO "nectar_service";

GRANT SELECT ("user_id") ON TABLE "nectar"."accounts" TO "nectar_service";

GRANT UPDATE ("check_in_enabled") ON TABLE "nectar"."accounts" TO "nectar_user";

GRANT UPDATE ("leaderboard_visible") ON TABLE "nectar"."accounts" TO "nectar_user";

GRANT UPDATE ("preferences") ON TABLE "nectar"."accounts" TO "nectar_user";

GRANT UPDATE ("read_notes_enabled") ON TABLE "nectar"."accounts" TO "nectar_user";

GRANT UPDATE ("timezone") ON TABLE "nectar"."accounts" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."accounts" TO "nectar_user";

GRANT INSERT ("action") ON TABLE "nectar"."audit_events" TO "nectar_service";

GRANT INSERT ("changed") ON TABLE "nectar"."audit_events" TO "nectar_service";

GRANT INSERT ("request_id") ON TABLE "nectar"."audit_events" TO "nectar_service";

GRANT INSERT ("target_id") ON TABLE "nectar"."audit_events" TO "nectar_service";

GRANT INSERT ("target_type") ON TABLE "nectar"."audit_events" TO "nectar_service";

GRANT INSERT ("action") ON TABLE "nectar"."audit_events" TO "nectar_user";

GRANT INSERT ("changed") ON TABLE "nectar"."audit_events" TO "nectar_user";

GRANT INSERT ("request_id") ON TABLE "nectar"."audit_events" TO "nectar_user";

GRANT INSERT ("target_id") ON TABLE "nectar"."audit_events" TO "nectar_user";

GRANT INSERT ("target_type") ON TABLE "nectar"."audit_events" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."audit_events" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."badge_definitions" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."badge_milestones" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."battles" TO "nectar_service", "nectar_user";

GRANT INSERT ("blocked_id") ON TABLE "nectar"."blocks" TO "nectar_user";

GRANT INSERT ("is_named") ON TABLE "nectar"."blocks" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."blocks" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."chains" TO "nectar_service";

GRANT SELECT ("activity_type") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("after_user_id") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("before_user_id") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("custom_activity") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("date") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("day_ends_at") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("squad_id") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("team_color") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("timezone") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("user_id") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("window_end_time") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("window_ends_at") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("window_start_time") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ("window_starts_at") ON TABLE "nectar"."chains" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."conversion_rates" TO "nectar_service";

GRANT INSERT ("rate") ON TABLE "nectar"."conversion_rates" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."conversion_rates" TO "nectar_user";

GRANT INSERT ("content"), UPDATE ("content") ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT INSERT ("is_approved"), UPDATE ("is_approved") ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT INSERT ("media_type"), UPDATE ("media_type") ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT INSERT ("media_url"), UPDATE ("media_url") ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT INSERT ("thumbnail_url"), UPDATE ("thumbnail_url") ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT INSERT ("title"), UPDATE ("title") ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT INSERT ("type"), UPDATE ("type") ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT UPDATE ("updated_at") ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."drop_templates" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."drop_transactions" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."encouragement_allowances" TO "nectar_user";

GRANT UPDATE ("bonus_drops_per_engagement") ON TABLE "nectar"."encouragement_config" TO "nectar_user";

GRANT UPDATE ("daily_allowance") ON TABLE "nectar"."encouragement_config" TO "nectar_user";

GRANT UPDATE ("engagement_window_hours") ON TABLE "nectar"."encouragement_config" TO "nectar_user";

GRANT UPDATE ("max_custom_drops_per_day") ON TABLE "nectar"."encouragement_config" TO "nectar_user";

GRANT UPDATE ("updated_at") ON TABLE "nectar"."encouragement_config" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."encouragement_config" TO "nectar_user";

GRANT UPDATE ("read_at") ON TABLE "nectar"."encouragement_drops" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."encouragement_drops" TO "nectar_user";

GRANT INSERT ("entry_id") ON TABLE "nectar"."entry_backgrounds" TO "nectar_user";

GRANT INSERT ("id") ON TABLE "nectar"."entry_backgrounds" TO "nectar_user";

GRANT INSERT ("quality") ON TABLE "nectar"."entry_backgrounds" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."entry_backgrounds" TO "nectar_user";

GRANT INSERT ("caption"), UPDATE ("caption") ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT INSERT ("entry_id") ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT INSERT ("height") ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT INSERT ("id") ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT INSERT ("position"), UPDATE ("position") ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT INSERT ("size_bytes") ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT INSERT ("thumbnail_id") ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT INSERT ("width") ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."entry_pictures" TO "nectar_user";

GRANT SELECT ("claim") ON TABLE "nectar"."exports" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "nectar"."exports" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "nectar"."exports" TO "nectar_service";

GRANT SELECT ("status") ON TABLE "nectar"."exports" TO "nectar_service";

GRANT DELETE ON TABLE "nectar"."exports" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "nectar"."exports" TO "nectar_user";

GRANT INSERT ("check_in_id") ON TABLE "nectar"."goal_check_in_contents" TO "nectar_user";

GRANT INSERT ("goal_id") ON TABLE "nectar"."goal_check_in_contents" TO "nectar_user";

GRANT INSERT ("notes"), UPDATE ("notes") ON TABLE "nectar"."goal_check_in_contents" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."goal_check_in_contents" TO "nectar_user";

GRANT INSERT ("check_in_date") ON TABLE "nectar"."goal_check_ins" TO "nectar_user";

GRANT INSERT ("goal_id") ON TABLE "nectar"."goal_check_ins" TO "nectar_user";

GRANT INSERT ("status"), UPDATE ("status") ON TABLE "nectar"."goal_check_ins" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."goal_check_ins" TO "nectar_user";

GRANT UPDATE ("description") ON TABLE "nectar"."goal_contents" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."goal_contents" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."goal_pauses" TO "nectar_user";

GRANT INSERT ("comments_enabled"), UPDATE ("comments_enabled") ON TABLE "nectar"."goals" TO "nectar_user";

GRANT INSERT ("content_visibility"), UPDATE ("content_visibility") ON TABLE "nectar"."goals" TO "nectar_user";

GRANT INSERT ("metadata_visibility"), UPDATE ("metadata_visibility") ON TABLE "nectar"."goals" TO "nectar_user";

GRANT INSERT ("org_id"), UPDATE ("org_id") ON TABLE "nectar"."goals" TO "nectar_user";

GRANT INSERT ("target_date"), UPDATE ("target_date") ON TABLE "nectar"."goals" TO "nectar_user";

GRANT INSERT ("team_id"), UPDATE ("team_id") ON TABLE "nectar"."goals" TO "nectar_user";

GRANT INSERT ("title"), UPDATE ("title") ON TABLE "nectar"."goals" TO "nectar_user";

GRANT INSERT ("weekdays"), UPDATE ("weekdays") ON TABLE "nectar"."goals" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."goals" TO "nectar_user";

GRANT SELECT ("expires_at") ON TABLE "nectar"."invitations" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "nectar"."invitations" TO "nectar_service";

GRANT DELETE ON TABLE "nectar"."invitations" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("email_status"), UPDATE ("email_status") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("email") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("expires_at") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("max_uses") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("org_id") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("revoked_at"), UPDATE ("revoked_at") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("role") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("team_ids") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT SELECT ("uses") ON TABLE "nectar"."invitations" TO "nectar_user";

GRANT INSERT ("ai_excluded"), UPDATE ("ai_excluded") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("comments_enabled"), UPDATE ("comments_enabled") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("content_visibility"), UPDATE ("content_visibility") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("inherit_visibility"), UPDATE ("inherit_visibility") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("metadata_visibility"), UPDATE ("metadata_visibility") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("mood"), UPDATE ("mood") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("notebook_id"), UPDATE ("notebook_id") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("org_id"), UPDATE ("org_id") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("tags"), UPDATE ("tags") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("team_id"), UPDATE ("team_id") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("title"), UPDATE ("title") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT UPDATE ("updated_at") ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."journal_entries" TO "nectar_user";

GRANT INSERT ("content"), UPDATE ("content") ON TABLE "nectar"."journal_entry_contents" TO "nectar_user";

GRANT INSERT ("entry_id") ON TABLE "nectar"."journal_entry_contents" TO "nectar_user";

GRANT UPDATE ("found_mood") ON TABLE "nectar"."journal_entry_contents" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."journal_entry_contents" TO "nectar_user";

GRANT SELECT ("created_at") ON TABLE "nectar"."journal_imports" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "nectar"."journal_imports" TO "nectar_service";

GRANT SELECT ("status") ON TABLE "nectar"."journal_imports" TO "nectar_service";

GRANT DELETE ON TABLE "nectar"."journal_imports" TO "nectar_service";

GRANT SELECT ON TABLE "nectar"."journal_imports" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."member_names" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."moderation_appeals" TO "nectar_service";

GRANT SELECT ("answer") ON TABLE "nectar"."moderation_appeals" TO "nectar_user";

GRANT SELECT ("created_at") ON TABLE "nectar"."moderation_appeals" TO "nectar_user";

GRANT SELECT ("decided_at") ON TABLE "nectar"."moderation_appeals" TO "nectar_user";

GRANT SELECT ("decision_id") ON TABLE "nectar"."moderation_appeals" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."moderation_appeals" TO "nectar_user";

GRANT SELECT ("owner_id") ON TABLE "nectar"."moderation_appeals" TO "nectar_user";

GRANT SELECT ("reason") ON TABLE "nectar"."moderation_appeals" TO "nectar_user";

GRANT SELECT ("status") ON TABLE "nectar"."moderation_appeals" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."moderation_decisions" TO "nectar_service";

GRANT SELECT ("decided_at") ON TABLE "nectar"."moderation_decisions" TO "nectar_user";

GRANT SELECT ("decision") ON TABLE "nectar"."moderation_decisions" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."moderation_decisions" TO "nectar_user";

GRANT SELECT ("owner_id") ON TABLE "nectar"."moderation_decisions" TO "nectar_user";

GRANT SELECT ("reason") ON TABLE "nectar"."moderation_decisions" TO "nectar_user";

GRANT SELECT ("suspended_until") ON TABLE "nectar"."moderation_decisions" TO "nectar_user";

GRANT SELECT ("target_id") ON TABLE "nectar"."moderation_decisions" TO "nectar_user";

GRANT SELECT ("target_type") ON TABLE "nectar"."moderation_decisions" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."monthly_drop_awards" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."mosaic_sections" TO "nectar_service", "nectar_user";

GRANT SELECT ON TABLE "nectar"."mosaics" TO "nectar_service", "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."note_analyses" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."note_analysis_sources" TO "nectar_user";

GRANT UPDATE ("template") ON TABLE "nectar"."notebook_contents" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."notebook_contents" TO "nectar_user";

GRANT INSERT ("ai_excluded_default"), UPDATE ("ai_excluded_default") ON TABLE "nectar"."notebooks" TO "nectar_user";

GRANT INSERT ("content_visibility"), UPDATE ("content_visibility") ON TABLE "nectar"."notebooks" TO "nectar_user";

GRANT INSERT ("description"), UPDATE ("description") ON TABLE "nectar"."notebooks" TO "nectar_user";

GRANT INSERT ("metadata_visibility"), UPDATE ("metadata_visibility") ON TABLE "nectar"."notebooks" TO "nectar_user";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "nectar"."notebooks" TO "nectar_user";

GRANT INSERT ("org_id"), UPDATE ("org_id") ON TABLE "nectar"."notebooks" TO "nectar_user";

GRANT INSERT ("team_id"), UPDATE ("team_id") ON TABLE "nectar"."notebooks" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."notebooks" TO "nectar_user";

GRANT INSERT ("push"), UPDATE ("push") ON TABLE "nectar"."notification_settings" TO "nectar_user";

GRANT INSERT ("quiet_end"), UPDATE ("quiet_end") ON TABLE "nectar"."notification_settings" TO "nectar_user";

GRANT INSERT ("quiet_start"), UPDATE ("quiet_start") ON TABLE "nectar"."notification_settings" TO "nectar_user";

GRANT INSERT ("reminder_only_if_not_written"), UPDATE ("reminder_only_if_not_written") ON TABLE "nectar"."notification_settings" TO "nectar_user";

GRANT INSERT ("reminder_time"), UPDATE ("reminder_time") ON TABLE "nectar"."notification_settings" TO "nectar_user";

GRANT INSERT ("reminder_weekdays"), UPDATE ("reminder_weekdays") ON TABLE "nectar"."notification_settings" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."notification_settings" TO "nectar_user";

GRANT SELECT ("created_at") ON TABLE "nectar"."notifications" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "nectar"."notifications" TO "nectar_service";

GRANT SELECT ("read_at") ON TABLE "nectar"."notifications" TO "nectar_service";

GRANT DELETE ON TABLE "nectar"."notifications" TO "nectar_service";

GRANT UPDATE ("read_at") ON TABLE "nectar"."notifications" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."notifications" TO "nectar_user";

GRANT INSERT ("org_id") ON TABLE "nectar"."organization_members" TO "nectar_user";

GRANT INSERT ("role"), UPDATE ("role") ON TABLE "nectar"."organization_members" TO "nectar_user";

GRANT INSERT ("user_id") ON TABLE "nectar"."organization_members" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."organization_members" TO "nectar_user";

GRANT INSERT ("description"), UPDATE ("description") ON TABLE "nectar"."organizations" TO "nectar_user";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "nectar"."organizations" TO "nectar_user";

GRANT INSERT ("settings"), UPDATE ("settings") ON TABLE "nectar"."organizations" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."organizations" TO "nectar_user";

GRANT SELECT ("expires_at") ON TABLE "nectar"."personal_tokens" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "nectar"."personal_tokens" TO "nectar_service";

GRANT DELETE ON TABLE "nectar"."personal_tokens" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT SELECT ("expires_at") ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT SELECT ("hint") ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT SELECT ("last_used_at") ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT SELECT ("name") ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT SELECT ("scopes") ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT SELECT ("user_id") ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT DELETE ON TABLE "nectar"."personal_tokens" TO "nectar_user";

GRANT SELECT ("avatar_url") ON TABLE "nectar"."profiles" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "nectar"."profiles" TO "nectar_service";

GRANT SELECT ("full_name") ON TABLE "nectar"."profiles" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "nectar"."profiles" TO "nectar_service";

GRANT SELECT ("is_ai") ON TABLE "nectar"."profiles" TO "nectar_service";

GRANT UPDATE ("avatar_url") ON TABLE "nectar"."profiles" TO "nectar_user";

GRANT UPDATE ("full_name") ON TABLE "nectar"."profiles" TO "nectar_user";

GRANT UPDATE ("updated_at") ON TABLE "nectar"."profiles" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."profiles" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."push_subscriptions" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."reports" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ("decided_at") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ("details") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ("reason") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ("reporter_id") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ("status") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ("target_id") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ("target_type") ON TABLE "nectar"."reports" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."squads" TO "nectar_service", "nectar_user";

GRANT INSERT ("event_created"), UPDATE ("event_created") ON TABLE "nectar"."subscriptions" TO "nectar_service";

GRANT INSERT ("event_id"), UPDATE ("event_id") ON TABLE "nectar"."subscriptions" TO "nectar_service";

GRANT INSERT ("event_rank"), UPDATE ("event_rank") ON TABLE "nectar"."subscriptions" TO "nectar_service";

GRANT UPDATE ("invoice_created") ON TABLE "nectar"."subscriptions" TO "nectar_service";

GRANT INSERT ("payment_customer_id"), UPDATE ("payment_customer_id") ON TABLE "nectar"."subscriptions" TO "nectar_service";

GRANT INSERT ("payment_subscription_id") ON TABLE "nectar"."subscriptions" TO "nectar_service";

GRANT INSERT ("status"), UPDATE ("status") ON TABLE "nectar"."subscriptions" TO "nectar_service";

GRANT INSERT ("user_id") ON TABLE "nectar"."subscriptions" TO "nectar_service";

GRANT SELECT ON TABLE "nectar"."subscriptions" TO "nectar_service", "nectar_user";

GRANT SELECT ON TABLE "nectar"."synthetic_users" TO "nectar_service", "nectar_user";

GRANT SELECT ON TABLE "nectar"."team_colors" TO "nectar_service", "nectar_user";

GRANT INSERT ("org_id") ON TABLE "nectar"."team_members" TO "nectar_user";

GRANT INSERT ("role"), UPDATE ("role") ON TABLE "nectar"."team_members" TO "nectar_user";

GRANT INSERT ("team_id") ON TABLE "nectar"."team_members" TO "nectar_user";

GRANT INSERT ("user_id") ON TABLE "nectar"."team_members" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."team_members" TO "nectar_user";

GRANT SELECT ("created_at") ON TABLE "nectar"."team_messages" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "nectar"."team_messages" TO "nectar_service";

GRANT SELECT ("squad_id") ON TABLE "nectar"."team_messages" TO "nectar_service";

GRANT DELETE ON TABLE "nectar"."team_messages" TO "nectar_service";

GRANT INSERT ("content"), SELECT ("content") ON TABLE "nectar"."team_messages" TO "nectar_user";

GRANT SELECT ("created_at") ON TABLE "nectar"."team_messages" TO "nectar_user";

GRANT INSERT ("entry_id"), SELECT ("entry_id") ON TABLE "nectar"."team_messages" TO "nectar_user";

GRANT INSERT ("goal_id"), SELECT ("goal_id") ON TABLE "nectar"."team_messages" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."team_messages" TO "nectar_user";

GRANT SELECT ("room_id") ON TABLE "nectar"."team_messages" TO "nectar_user";

GRANT INSERT ("squad_id"), SELECT ("squad_id") ON TABLE "nectar"."team_messages" TO "nectar_user";

GRANT INSERT ("team_id"), SELECT ("team_id") ON TABLE "nectar"."team_messages" TO "nectar_user";

GRANT INSERT ("description"), UPDATE ("description") ON TABLE "nectar"."teams" TO "nectar_user";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "nectar"."teams" TO "nectar_user";

GRANT INSERT ("org_id") ON TABLE "nectar"."teams" TO "nectar_user";

GRANT INSERT ("settings"), UPDATE ("settings") ON TABLE "nectar"."teams" TO "nectar_user";

GRANT UPDATE ("updated_at") ON TABLE "nectar"."teams" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."teams" TO "nectar_user";

GRANT INSERT ("cost_usd") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("has_reply") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("image_count") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("image_quality") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("input_tokens") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("model") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("output_tokens") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("reference_id") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("reference_type") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("usage_type") ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT SELECT ON TABLE "nectar"."token_usage" TO "nectar_service";

GRANT INSERT ("cost_usd") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("has_reply") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("image_count") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("image_quality") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("input_tokens") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("model") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("output_tokens") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("reference_id") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("reference_type") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT INSERT ("usage_type") ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."token_usage" TO "nectar_user";

GRANT UPDATE ("created_at") ON TABLE "nectar"."tone_pack_images" TO "nectar_user";

GRANT INSERT ("file_path"), UPDATE ("file_path") ON TABLE "nectar"."tone_pack_images" TO "nectar_user";

GRANT INSERT ("pack_id") ON TABLE "nectar"."tone_pack_images" TO "nectar_user";

GRANT INSERT ("tone") ON TABLE "nectar"."tone_pack_images" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."tone_pack_images" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."tone_pack_purchases" TO "nectar_user";

GRANT INSERT ("by_address") ON TABLE "nectar"."tone_pack_shares" TO "nectar_user";

GRANT INSERT ("pack_id") ON TABLE "nectar"."tone_pack_shares" TO "nectar_user";

GRANT INSERT ("user_id") ON TABLE "nectar"."tone_pack_shares" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."tone_pack_shares" TO "nectar_user";

GRANT INSERT ("description"), UPDATE ("description") ON TABLE "nectar"."tone_packs" TO "nectar_user";

GRANT INSERT ("is_public"), UPDATE ("is_public") ON TABLE "nectar"."tone_packs" TO "nectar_user";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "nectar"."tone_packs" TO "nectar_user";

GRANT INSERT ("price_drops"), UPDATE ("price_drops") ON TABLE "nectar"."tone_packs" TO "nectar_user";

GRANT INSERT ("theme"), UPDATE ("theme") ON TABLE "nectar"."tone_packs" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."tone_packs" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."trashed_entries" TO "nectar_service";

GRANT DELETE ON TABLE "nectar"."trashed_entries" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "nectar"."trashed_entries" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."user_badges" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."user_locations" TO "nectar_service";

GRANT INSERT ("city"), UPDATE ("city") ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT INSERT ("country"), UPDATE ("country") ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT INSERT ("ip_address"), UPDATE ("ip_address") ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT INSERT ("latitude"), UPDATE ("latitude") ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT INSERT ("longitude"), UPDATE ("longitude") ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT INSERT ("region"), UPDATE ("region") ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT INSERT ("timezone"), UPDATE ("timezone") ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT UPDATE ("updated_at") ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."user_locations" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."user_roles" TO "nectar_service", "nectar_user";

GRANT SELECT ON TABLE "nectar"."weekly_workout_stats" TO "nectar_user";

GRANT INSERT ("content"), UPDATE ("content") ON TABLE "nectar"."wellness_entries" TO "nectar_user";

GRANT INSERT ("hours"), UPDATE ("hours") ON TABLE "nectar"."wellness_entries" TO "nectar_user";

GRANT INSERT ("notes"), UPDATE ("notes") ON TABLE "nectar"."wellness_entries" TO "nectar_user";

GRANT INSERT ("quality"), UPDATE ("quality") ON TABLE "nectar"."wellness_entries" TO "nectar_user";

GRANT INSERT ("rating"), UPDATE ("rating") ON TABLE "nectar"."wellness_entries" TO "nectar_user";

GRANT INSERT ("type"), UPDATE ("type") ON TABLE "nectar"."wellness_entries" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "nectar"."wellness_entries" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."workout_checkin_photos" TO "nectar_service", "nectar_user";

GRANT SELECT ON TABLE "nectar"."workout_checkins" TO "nectar_service";

GRANT SELECT ("activity_type") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("battle_week_start") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("chain_id") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("chain_status") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("created_at") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("date") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("photo_timestamp") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("reviewed_at") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("status") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("team_color") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("user_id") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ("verified_at") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."workout_windows" TO "nectar_service";

GRANT INSERT ("activity_type"), UPDATE ("activity_type") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT UPDATE ("away") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT INSERT ("custom_activity"), UPDATE ("custom_activity") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT INSERT ("effective_from"), UPDATE ("effective_from") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT UPDATE ("previous_activity_type") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT UPDATE ("previous_custom_activity") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT UPDATE ("previous_timezone") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT UPDATE ("previous_window_end_time") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT UPDATE ("previous_window_start_time") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT UPDATE ("rest_days") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT INSERT ("timezone"), UPDATE ("timezone") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT INSERT ("window_end_time"), UPDATE ("window_end_time") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT INSERT ("window_start_time"), UPDATE ("window_start_time") ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."workout_windows" TO "nectar_user";

GRANT SELECT ON TABLE "private"."assistant_turns" TO "nectar_user";

GRANT SELECT ON TABLE "private"."battle_announcements" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "private"."email_events" TO "nectar_service";

GRANT INSERT ("id"), SELECT ("id") ON TABLE "private"."email_events" TO "nectar_service";

GRANT INSERT ("is_verified"), SELECT ("is_verified") ON TABLE "private"."email_events" TO "nectar_service";

GRANT INSERT ("type") ON TABLE "private"."email_events" TO "nectar_service";

GRANT DELETE ON TABLE "private"."email_events" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "private"."email_messages" TO "nectar_service";

GRANT UPDATE ("delivery_at") ON TABLE "private"."email_messages" TO "nectar_service";

GRANT SELECT ("delivery_is_verified"), UPDATE ("delivery_is_verified") ON TABLE "private"."email_messages" TO "nectar_service";

GRANT SELECT ("delivery"), UPDATE ("delivery") ON TABLE "private"."email_messages" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "private"."email_messages" TO "nectar_service";

GRANT SELECT ("provider_id") ON TABLE "private"."email_messages" TO "nectar_service";

GRANT UPDATE ("updated_at") ON TABLE "private"."email_messages" TO "nectar_service";

GRANT DELETE ON TABLE "private"."email_messages" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "private"."email_messages" TO "nectar_user";

GRANT SELECT ("delivery") ON TABLE "private"."email_messages" TO "nectar_user";

GRANT SELECT ("id") ON TABLE "private"."email_messages" TO "nectar_user";

GRANT SELECT ("recipient") ON TABLE "private"."email_messages" TO "nectar_user";

GRANT SELECT ("state") ON TABLE "private"."email_messages" TO "nectar_user";

GRANT SELECT ("subject") ON TABLE "private"."email_messages" TO "nectar_user";

GRANT SELECT ("updated_at") ON TABLE "private"."email_messages" TO "nectar_user";

GRANT SELECT ("user_id") ON TABLE "private"."email_messages" TO "nectar_user";

GRANT UPDATE ("recipient_policy") ON TABLE "private"."email_policy" TO "nectar_service";

GRANT SELECT ON TABLE "private"."email_policy" TO "nectar_service";

GRANT UPDATE ("body_html") ON TABLE "private"."email_received" TO "nectar_service";

GRANT UPDATE ("body_text") ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("content_attempts"), UPDATE ("content_attempts") ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("content_due_at"), UPDATE ("content_due_at") ON TABLE "private"."email_received" TO "nectar_service";

GRANT UPDATE ("content_fetched_at") ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("event_id") ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("is_verified") ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("provider_id") ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("recipients"), UPDATE ("recipients") ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("sender"), UPDATE ("sender") ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("subject"), UPDATE ("subject") ON TABLE "private"."email_received" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "private"."email_received" TO "nectar_service";

GRANT INSERT ("address_hash"), SELECT ("address_hash") ON TABLE "private"."email_suppressions" TO "nectar_service";

GRANT INSERT ("event_id"), SELECT ("event_id"), UPDATE ("event_id") ON TABLE "private"."email_suppressions" TO "nectar_service";

GRANT INSERT ("reason"), SELECT ("reason"), UPDATE ("reason") ON TABLE "private"."email_suppressions" TO "nectar_service";

GRANT SELECT ON TABLE "private"."erased_totals" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "private"."erasure_receipts" TO "nectar_service";

GRANT DELETE ON TABLE "private"."erasure_receipts" TO "nectar_service";

GRANT SELECT ("date") ON TABLE "private"."game_notices" TO "nectar_service";

GRANT DELETE ON TABLE "private"."game_notices" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "private"."idempotency_keys" TO "nectar_service";

GRANT DELETE ON TABLE "private"."idempotency_keys" TO "nectar_service";

GRANT INSERT ("body_hash") ON TABLE "private"."idempotency_keys" TO "nectar_user";

GRANT INSERT ("body"), UPDATE ("body") ON TABLE "private"."idempotency_keys" TO "nectar_user";

GRANT INSERT ("is_final"), UPDATE ("is_final") ON TABLE "private"."idempotency_keys" TO "nectar_user";

GRANT INSERT ("key") ON TABLE "private"."idempotency_keys" TO "nectar_user";

GRANT INSERT ("resource_id"), UPDATE ("resource_id") ON TABLE "private"."idempotency_keys" TO "nectar_user";

GRANT INSERT ("route") ON TABLE "private"."idempotency_keys" TO "nectar_user";

GRANT INSERT ("status"), UPDATE ("status") ON TABLE "private"."idempotency_keys" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "private"."idempotency_keys" TO "nectar_user";

GRANT INSERT ("due_at") ON TABLE "private"."job_runs" TO "nectar_service";

GRANT UPDATE ("finished_at") ON TABLE "private"."job_runs" TO "nectar_service";

GRANT INSERT ("job") ON TABLE "private"."job_runs" TO "nectar_service";

GRANT INSERT ("key") ON TABLE "private"."job_runs" TO "nectar_service";

GRANT UPDATE ("results") ON TABLE "private"."job_runs" TO "nectar_service";

GRANT UPDATE ("succeeded") ON TABLE "private"."job_runs" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "private"."job_runs" TO "nectar_service";

GRANT INSERT ("known_since") ON TABLE "private"."jobs" TO "nectar_service";

GRANT INSERT ("name") ON TABLE "private"."jobs" TO "nectar_service";

GRANT SELECT ON TABLE "private"."jobs" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "private"."kept_suspensions" TO "nectar_service";

GRANT SELECT ON TABLE "private"."leaderboard_checkpoints" TO "nectar_service";

GRANT INSERT ("expires_at"), UPDATE ("expires_at") ON TABLE "private"."leases" TO "nectar_service";

GRANT UPDATE ("holder") ON TABLE "private"."leases" TO "nectar_service";

GRANT INSERT ("key") ON TABLE "private"."leases" TO "nectar_service";

GRANT INSERT ("name") ON TABLE "private"."leases" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "private"."leases" TO "nectar_service";

GRANT SELECT ("created_at") ON TABLE "private"."logged_reads" TO "nectar_service";

GRANT SELECT ("id") ON TABLE "private"."logged_reads" TO "nectar_service";

GRANT DELETE ON TABLE "private"."logged_reads" TO "nectar_service";

GRANT SELECT ON TABLE "private"."logged_reads" TO "nectar_user";

GRANT SELECT ON TABLE "private"."open_days" TO "nectar_service";

GRANT INSERT ("created") ON TABLE "private"."payment_events" TO "nectar_service";

GRANT INSERT ("id") ON TABLE "private"."payment_events" TO "nectar_service";

GRANT INSERT ("type") ON TABLE "private"."payment_events" TO "nectar_service";

GRANT SELECT ON TABLE "private"."payment_events" TO "nectar_service";

GRANT SELECT ON TABLE "private"."player_areas" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "private"."players_to_match" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "private"."push_deliveries" TO "nectar_service";

GRANT SELECT ON TABLE "private"."quota_uses" TO "nectar_user";

GRANT DELETE, SELECT ON TABLE "private"."stored_files_to_remove" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "private"."subscriptions_to_cancel" TO "nectar_service";

GRANT UPDATE ("after_id") ON TABLE "private"."unsettled_shares" TO "nectar_service";

GRANT UPDATE ("after_time") ON TABLE "private"."unsettled_shares" TO "nectar_service";

GRANT UPDATE ("settled_at") ON TABLE "private"."unsettled_shares" TO "nectar_service";

GRANT DELETE, SELECT ON TABLE "private"."unsettled_shares" TO "nectar_service";

GRANT SELECT ON TABLE "nectar"."drop_objects" TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."readable_drops" TO "nectar_user";

ALTER TABLE "nectar"."audit_events" ADD COLUMN "actor_id" uuid NOT NULL DEFAULT private.actor_id();

CREATE INDEX audit_events_actor ON nectar.audit_events USING btree (actor_id, created_at DESC, id DESC);

CREATE POLICY "an admin records what they change" ON "nectar"."audit_events" FOR INSERT TO "nectar_user" WITH CHECK (((actor_id = ( SELECT private.actor_id() AS actor_id)) AND ( SELECT private.is_admin() AS is_admin)));

GRANT INSERT ("actor_id") ON TABLE "nectar"."audit_events" TO "nectar_service";

ALTER TABLE "nectar"."audit_events" ADD COLUMN "actor_role" nectar.user_role NOT NULL DEFAULT (
CASE
    WHEN private.is_super_admin() THEN 'super_admin'::text
    ELSE 'admin'::text
END)::nectar.user_role;

CREATE POLICY "the service records what an admin changes who may write" ON "nectar"."audit_events" FOR INSERT TO "nectar_service" WITH CHECK (((actor_role = 'user'::nectar.user_role) OR private.lock_writer(actor_id, false, false)));

COMMENT ON COLUMN "nectar"."audit_events"."actor_role" IS 'The role before the change.';

GRANT INSERT ("actor_role") ON TABLE "nectar"."audit_events" TO "nectar_service";

ALTER TABLE "nectar"."blocks" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."blocks" ADD CONSTRAINT "blocks_not_oneself" CHECK ((user_id <> blocked_id));

ALTER TABLE "nectar"."blocks" ADD CONSTRAINT "blocks_pkey" PRIMARY KEY (user_id, blocked_id);

ALTER TABLE "nectar"."blocks" ADD CONSTRAINT "blocks_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX blocks_newest_first ON nectar.blocks USING btree (user_id, created_at DESC, blocked_id DESC);

CREATE INDEX blocks_of_the_other ON nectar.blocks USING btree (blocked_id, user_id);

CREATE POLICY "a person blocks others for themselves" ON "nectar"."blocks" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person ends a block of their own" ON "nectar"."blocks" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees the blocks that they made" ON "nectar"."blocks" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."conversion_rates" ADD COLUMN "created_by" uuid DEFAULT private.actor_id();

ALTER TABLE "nectar"."conversion_rates" ADD CONSTRAINT "conversion_rates_created_by_fkey" FOREIGN KEY (created_by) REFERENCES nectar.profiles(id) ON DELETE SET NULL;

CREATE INDEX conversion_rates_created_by ON nectar.conversion_rates USING btree (created_by);

CREATE POLICY "a super admin sets a rate" ON "nectar"."conversion_rates" FOR INSERT TO "nectar_user" WITH CHECK ((( SELECT private.is_super_admin() AS is_super_admin) AND (created_by = ( SELECT private.actor_id() AS actor_id))));

COMMENT ON COLUMN "nectar"."conversion_rates"."created_by" IS 'Null for the first rate, and when that person is gone.';

ALTER TABLE "nectar"."entry_backgrounds" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."entry_backgrounds" ADD COLUMN "file_key" text GENERATED ALWAYS AS ((((('backgrounds/'::text || (user_id)::text) || '/'::text) || (id)::text) || '.png'::text)) STORED NOT NULL;

ALTER TABLE "nectar"."entry_backgrounds" ADD CONSTRAINT "entry_backgrounds_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX entry_backgrounds_newest_first ON nectar.entry_backgrounds USING btree (user_id, created_at DESC, id DESC);

CREATE POLICY "a background is seen by its owner and by readers of the content" ON "nectar"."entry_backgrounds" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (EXISTS ( SELECT
   FROM nectar.journal_entry_contents c
  WHERE (c.entry_id = entry_backgrounds.entry_id)))));

CREATE POLICY "the owner removes a background" ON "nectar"."entry_backgrounds" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

COMMENT ON COLUMN "nectar"."entry_backgrounds"."file_key" IS 'Path of the image in the private store.';

ALTER TABLE "nectar"."entry_pictures" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."entry_pictures" ADD COLUMN "file_key" text GENERATED ALWAYS AS ((((('pictures/'::text || (user_id)::text) || '/'::text) || (id)::text) || '.jpg'::text)) STORED NOT NULL;

ALTER TABLE "nectar"."entry_pictures" ADD COLUMN "thumbnail_key" text GENERATED ALWAYS AS ((((('pictures/'::text || (user_id)::text) || '/'::text) || (thumbnail_id)::text) || '.jpg'::text)) STORED NOT NULL;

ALTER TABLE "nectar"."entry_pictures" ADD CONSTRAINT "entry_pictures_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX entry_pictures_own ON nectar.entry_pictures USING btree (user_id, created_at DESC, id DESC) INCLUDE (size_bytes);

CREATE POLICY "a picture is seen by its owner and by readers of the content" ON "nectar"."entry_pictures" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (EXISTS ( SELECT
   FROM nectar.journal_entry_contents c
  WHERE (c.entry_id = entry_pictures.entry_id)))));

CREATE POLICY "the owner changes a picture" ON "nectar"."entry_pictures" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the owner deletes a picture" ON "nectar"."entry_pictures" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."exports" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."exports" ADD COLUMN "file_key" text GENERATED ALWAYS AS ((((('exports/'::text || (user_id)::text) || '/'::text) || (id)::text) || '.zip'::text)) STORED NOT NULL;

ALTER TABLE "nectar"."exports" ADD CONSTRAINT "exports_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX exports_newest_first ON nectar.exports USING btree (user_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX exports_one_pending ON nectar.exports USING btree (user_id) WHERE (status = 'pending'::nectar.export_status);

CREATE POLICY "a person deletes their own exports" ON "nectar"."exports" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own exports" ON "nectar"."exports" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

COMMENT ON COLUMN "nectar"."exports"."file_key" IS 'Path of the zip file in the private store, while the export is ready.';

ALTER TABLE "nectar"."goal_check_in_contents" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

CREATE POLICY "a person edits their own notes" ON "nectar"."goal_check_in_contents" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person writes notes of their own" ON "nectar"."goal_check_in_contents" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "notes are seen with the content of their goal" ON "nectar"."goal_check_in_contents" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR private.can_see_goal_content(goal_id)));

ALTER TABLE "nectar"."goal_check_ins" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."goal_check_ins" ADD CONSTRAINT "goal_check_ins_id_goal_id_user_id_key" UNIQUE (id, goal_id, user_id);

ALTER TABLE "nectar"."goal_check_in_contents" ADD CONSTRAINT "goal_check_in_contents_check_in_id_goal_id_user_id_fkey" FOREIGN KEY (check_in_id, goal_id, user_id) REFERENCES nectar.goal_check_ins(id, goal_id, user_id) ON DELETE CASCADE;

CREATE VIEW "nectar"."readable_goal_check_ins" WITH (security_invoker=true) AS  SELECT k.id,
    k.goal_id,
    k.user_id,
    k.status,
    c.notes,
    k.check_in_date,
    k.created_at
   FROM (nectar.goal_check_ins k
     LEFT JOIN nectar.goal_check_in_contents c ON ((c.check_in_id = k.id)));

CREATE INDEX goal_check_ins_newest_first ON nectar.goal_check_ins USING btree (goal_id, user_id, created_at DESC, id DESC);

CREATE POLICY "a check-in is seen with its goal" ON "nectar"."goal_check_ins" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR private.can_see_goal(goal_id)));

CREATE POLICY "a person checks in to their own open goals" ON "nectar"."goal_check_ins" FOR INSERT TO "nectar_user" WITH CHECK (((user_id = ( SELECT private.actor_id() AS actor_id)) AND private.require_open_goal(goal_id, user_id)));

CREATE POLICY "a person corrects their own check-ins" ON "nectar"."goal_check_ins" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person deletes their own check-ins" ON "nectar"."goal_check_ins" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

COMMENT ON VIEW "nectar"."readable_goal_check_ins" IS 'Check-ins to goals as the caller sees them. Notes that the caller may not see are null. Nullable: notes.';

GRANT SELECT ON TABLE "nectar"."readable_goal_check_ins" TO "nectar_user";

ALTER TABLE "nectar"."goals" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."goals" ADD CONSTRAINT "goals_id_user_id_key" UNIQUE (id, user_id);

ALTER TABLE "nectar"."goal_check_ins" ADD CONSTRAINT "goal_check_ins_goal_is_own" FOREIGN KEY (goal_id, user_id) REFERENCES nectar.goals(id, user_id) ON DELETE CASCADE;

ALTER TABLE "nectar"."goal_pauses" ADD CONSTRAINT "goal_pauses_goal_is_own" FOREIGN KEY (goal_id, user_id) REFERENCES nectar.goals(id, user_id) ON DELETE CASCADE;

ALTER TABLE "nectar"."goals" ADD CONSTRAINT "goals_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX goals_own ON nectar.goals USING btree (user_id, created_at DESC, id DESC) INCLUDE (status);

CREATE POLICY "a person changes their own goals" ON "nectar"."goals" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person deletes their own goals" ON "nectar"."goals" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sets goals of their own" ON "nectar"."goals" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."goals" ADD COLUMN "started_on" date NOT NULL DEFAULT private.today();

COMMENT ON COLUMN "nectar"."goals"."started_on" IS 'The day of its creation in the time zone of its owner.';

ALTER TABLE "nectar"."goals" ADD COLUMN "metadata_audience_id" uuid NOT NULL DEFAULT private.actor_id();

CREATE INDEX goals_audience ON nectar.goals USING btree (metadata_audience_id, created_at DESC, id DESC) INCLUDE (user_id, status);

CREATE INDEX goals_newest_first ON nectar.goals USING btree (created_at DESC, id DESC) INCLUDE (user_id, metadata_audience_id, status);

CREATE TRIGGER goals__record_sharing AFTER INSERT OR UPDATE ON nectar.goals FOR EACH ROW WHEN (((new.user_id = private.actor_id()) AND (new.metadata_audience_id <> new.user_id) AND (new.metadata_visibility <> 'public'::nectar.visibility))) EXECUTE FUNCTION private.record_acting_member('metadata_audience_id');

CREATE POLICY "a goal is seen by its owner and its audience" ON "nectar"."goals" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR private.is_reached(metadata_audience_id, user_id, ( SELECT private.my_audiences() AS my_audiences), ( SELECT private.blocked_users() AS blocked_users)) OR ( SELECT private.sees_unshared() AS sees_unshared)));

COMMENT ON COLUMN "nectar"."goals"."metadata_audience_id" IS 'Who besides the owner sees the goal and its check-ins; kept by trigger.';

ALTER TABLE "nectar"."goals" ADD COLUMN "content_audience_id" uuid NOT NULL DEFAULT private.actor_id();

COMMENT ON COLUMN "nectar"."goals"."content_audience_id" IS 'Who besides the owner sees the description and the notes of check-ins, given they see the goal; kept by trigger.';

ALTER TABLE "nectar"."invitations" ADD COLUMN "invited_by" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."invitations" ADD CONSTRAINT "invitations_invited_by_fkey" FOREIGN KEY (invited_by) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX invitations_inviter ON nectar.invitations USING btree (invited_by);

GRANT SELECT ("invited_by") ON TABLE "nectar"."invitations" TO "nectar_user";

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."journal_entries" ADD CONSTRAINT "journal_entries_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE VIEW "private"."notes" WITH (security_invoker=true) AS  SELECT id,
    user_id,
    title,
    mood,
    created_at,
    updated_at
   FROM nectar.journal_entries e
  WHERE (NOT ai_excluded);

CREATE INDEX journal_entries_own ON nectar.journal_entries USING btree (user_id, created_at DESC, id DESC);

CREATE TRIGGER journal_entries__record_sharing AFTER INSERT OR UPDATE ON nectar.journal_entries FOR EACH ROW WHEN (((new.user_id = private.actor_id()) AND ((new.effective_metadata_visibility = ANY (ARRAY['team'::nectar.visibility, 'org'::nectar.visibility])) OR (new.effective_content_visibility = ANY (ARRAY['team'::nectar.visibility, 'org'::nectar.visibility]))))) EXECUTE FUNCTION private.record_acting_member('metadata_audience_id', 'content_audience_id');

CREATE POLICY "a person adds backgrounds for themselves and their own entries" ON "nectar"."entry_backgrounds" FOR INSERT TO "nectar_user" WITH CHECK (((user_id = ( SELECT private.actor_id() AS actor_id)) AND ((entry_id IS NULL) OR (EXISTS ( SELECT
   FROM nectar.journal_entries e
  WHERE ((e.id = entry_backgrounds.entry_id) AND (e.user_id = ( SELECT private.actor_id() AS actor_id))))))));

CREATE POLICY "a person adds pictures to their own entries" ON "nectar"."entry_pictures" FOR INSERT TO "nectar_user" WITH CHECK (((user_id = ( SELECT private.actor_id() AS actor_id)) AND (EXISTS ( SELECT
   FROM nectar.journal_entries e
  WHERE ((e.id = entry_pictures.entry_id) AND (e.user_id = ( SELECT private.actor_id() AS actor_id)))))));

CREATE POLICY "a person writes entries of their own" ON "nectar"."journal_entries" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the author edits an entry" ON "nectar"."journal_entries" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

COMMENT ON VIEW "private"."notes" IS 'The entries that the assistant may read. No role may select from it.';

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "tag_keys" text[] GENERATED ALWAYS AS (private.lowercase_tags(tags)) STORED NOT NULL;

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "entry_date" date NOT NULL DEFAULT private.today();

CREATE INDEX journal_entries_notebook_by_date ON nectar.journal_entries USING btree (notebook_id, entry_date DESC, created_at DESC, id DESC) WHERE (notebook_id IS NOT NULL);

CREATE INDEX journal_entries_own_by_date ON nectar.journal_entries USING btree (user_id, entry_date DESC, created_at DESC, id DESC);

CREATE TRIGGER journal_entries__check_date BEFORE INSERT OR UPDATE OF entry_date ON nectar.journal_entries FOR EACH ROW EXECUTE FUNCTION private.check_entry_date();

COMMENT ON COLUMN "nectar"."journal_entries"."entry_date" IS 'The day that the entry is about, in the time zone of its author.';

GRANT INSERT ("entry_date"), UPDATE ("entry_date") ON TABLE "nectar"."journal_entries" TO "nectar_user";

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "metadata_audience_id" uuid NOT NULL DEFAULT private.actor_id();

CREATE INDEX journal_entries_audience_by_date ON nectar.journal_entries USING btree (metadata_audience_id, entry_date DESC, created_at DESC, id DESC) INCLUDE (user_id);

CREATE INDEX journal_entries_audience ON nectar.journal_entries USING btree (metadata_audience_id, created_at DESC, id DESC) INCLUDE (user_id);

CREATE INDEX journal_entries_latest_first ON nectar.journal_entries USING btree (entry_date DESC, created_at DESC, id DESC) INCLUDE (user_id, metadata_audience_id);

CREATE INDEX journal_entries_newest_first ON nectar.journal_entries USING btree (created_at DESC, id DESC) INCLUDE (user_id, metadata_audience_id);

CREATE INDEX journal_entries_notebook_audience ON nectar.journal_entries USING btree (notebook_id, metadata_audience_id) WHERE (notebook_id IS NOT NULL);

CREATE POLICY "an entry is seen by its author and its audience" ON "nectar"."journal_entries" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (private.is_reached(metadata_audience_id, user_id, ( SELECT private.my_audiences() AS my_audiences), ( SELECT private.blocked_users() AS blocked_users)) AND (NOT (( SELECT (private.withdrawn_shares() <> '{}'::uuid[])) AND private.is_withdrawn(user_id, notebook_id, (inherit_visibility AND (('user'::nectar.visibility = metadata_visibility) OR ('user'::nectar.visibility = content_visibility))), metadata_audience_id, ( SELECT private.withdrawn_shares() AS withdrawn_shares))))) OR ( SELECT private.sees_unshared() AS sees_unshared)));

COMMENT ON COLUMN "nectar"."journal_entries"."metadata_audience_id" IS 'Who besides the author sees the entry; kept by trigger.';

ALTER TABLE "nectar"."journal_entries" ADD COLUMN "content_audience_id" uuid NOT NULL DEFAULT private.actor_id();

CREATE VIEW "nectar"."readable_entries" WITH (security_invoker=true) AS  SELECT e.id,
    e.user_id,
    e.title,
    e.tags,
    (s.entry).notebook_id AS notebook_id,
    e.entry_date,
    e.ai_excluded,
    (s.entry).metadata_visibility AS metadata_visibility,
    (s.entry).content_visibility AS content_visibility,
    (s.entry).inherit_visibility AS inherit_visibility,
    (s.entry).team_id AS team_id,
    (s.entry).org_id AS org_id,
    (s.entry).effective_metadata_visibility AS effective_metadata_visibility,
    (s.entry).effective_content_visibility AS effective_content_visibility,
    e.comments_enabled,
    COALESCE(c.comment_count, 0) AS comment_count,
    private.rfc3339(e.created_at) AS created_at,
    private.rfc3339(e.updated_at) AS updated_at,
    COALESCE(e.mood, c.found_mood) AS mood,
        CASE
            WHEN (e.mood IS NOT NULL) THEN 'user'::nectar.mood_source
            WHEN (c.found_mood IS NOT NULL) THEN 'ai'::nectar.mood_source
            ELSE NULL::nectar.mood_source
        END AS mood_source,
    (c.entry_id IS NULL) AS content_hidden,
        CASE
            WHEN (e.hidden_at IS NOT NULL) THEN 'hidden'::nectar.moderation_state
            ELSE NULL::nectar.moderation_state
        END AS moderation,
    c.content,
    COALESCE(c.picture_count, 0) AS picture_count
   FROM ((nectar.journal_entries e
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN private.is_unsettled(e.notebook_id, e.team_id, e.org_id, e.metadata_audience_id, e.content_audience_id, ( SELECT private.unsettled_sources() AS unsettled_sources)) THEN private.settled_entry(e.*)
                    ELSE e.*
                END AS entry
         OFFSET 0) s)
     LEFT JOIN nectar.journal_entry_contents c ON ((c.entry_id = e.id)));

CREATE OR REPLACE FUNCTION private.list_entries(p_page jsonb, p_filter jsonb)
 RETURNS SETOF nectar.readable_entries
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_max constant integer := p_page ->> 'max';
  v_ids constant uuid[] := case
    -- What clients read most. The variables of private.entry_page would take a tenth of its time.
    when p_filter = '{}' and p_page ->> 'order' = 'newest first' and v_max <= 50 and private.withdrawn_shares() = '{}'
      then private.newest_visible_journal_entries(
        p_page ->> 'scope', coalesce((p_page ->> 'after')::timestamptz, 'infinity'),
        coalesce((p_page ->> 'after_id')::uuid, '00000000-0000-0000-0000-000000000000'), '-infinity', v_max
      )
    else private.entry_page(p_page, p_filter)
  end;
begin
  -- The last row is read to know whether there is a next page.
  if not current_setting('transaction_read_only')::boolean then
    perform private.log_reads(v_ids[:v_max - 1], p_page ->> 'fields' <> 'metadata' or p_filter ? 'q');
  end if;
  return query
    select e.id, e.user_id, e.title, e.tags, e.notebook_id, e.entry_date, e.ai_excluded,
      e.metadata_visibility, e.content_visibility, e.inherit_visibility, e.team_id, e.org_id,
      e.effective_metadata_visibility, e.effective_content_visibility, e.comments_enabled, e.comment_count,
      e.created_at, e.updated_at,
      e.mood, e.mood_source, e.content_hidden, e.moderation,
      case p_page ->> 'fields'
        when 'all' then e.content
        when 'excerpt' then left(e.content, (p_page ->> 'excerpt_length')::integer)
      end,
      e.picture_count
    -- In a sub-select, or the planner makes a new plan in every call, because it knows the length of the array.
    from unnest((select v_ids)) with ordinality page (id, place)
    join nectar.readable_entries e on e.id = page.id
    order by page.place;
end $function$;

CREATE OR REPLACE FUNCTION private.list_entries_on_this_day(p_date date, p_now timestamp with time zone, p_max_bytes bigint)
 RETURNS SETOF nectar.readable_entries
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_me constant uuid := private.actor_id();
  v_dates constant date[] := private.same_day_of_earlier_years(coalesce(p_date, private.date_of(v_me, p_now)));
  v_ids constant uuid[] := array(
    select e.id from unnest((select v_dates)) d (day)
    -- Each date by itself, or the planner reads all entries of the caller: most people have fewer than there are dates.
    cross join lateral (
      select r.id, r.created_at from nectar.journal_entries r where r.user_id = v_me and r.entry_date = d.day
      order by r.created_at desc, r.id desc limit 100
    ) e
    order by d.day desc, e.created_at desc, e.id desc limit 100
  );
begin
  return query
    select e.* from unnest((select private.entries_within_bytes(v_ids, p_max_bytes))) with ordinality page (id, place)
    -- Each by its id: going through the table would ask the policies about entries of others, which a super admin may not
    -- see in a transaction that only reads.
    cross join lateral (select r.* from nectar.readable_entries r where r.id = page.id limit 1) e
    order by page.place;
end $function$;

CREATE OR REPLACE FUNCTION private.read_entry(p_id uuid)
 RETURNS SETOF nectar.readable_entries
 LANGUAGE plpgsql
 ROWS 1
 SET search_path TO ''
AS $function$
begin
  if not current_setting('transaction_read_only')::boolean then
    perform private.log_reads(array[p_id], true);
  end if;
  return query select * from nectar.readable_entries e where e.id = p_id;
end $function$;

CREATE TRIGGER journal_entries__copy_audiences AFTER UPDATE ON nectar.journal_entries FOR EACH ROW WHEN (((old.metadata_audience_id IS DISTINCT FROM new.metadata_audience_id) OR (old.content_audience_id IS DISTINCT FROM new.content_audience_id))) EXECUTE FUNCTION private.copy_entry_audiences();

COMMENT ON COLUMN "nectar"."journal_entries"."content_audience_id" IS 'Who besides the author sees its text, given they see the entry; kept by trigger.';

COMMENT ON FUNCTION "private"."list_entries"(jsonb, jsonb) IS 'Returns a page of entries as the caller sees them, and logs what a super admin reads in a transaction that writes.';

COMMENT ON FUNCTION "private"."list_entries_on_this_day"(date, timestamp with time zone, bigint) IS 'Returns the caller''s own entries about the same day of earlier years, latest first, at most 100. Nullable: p_date.';

COMMENT ON FUNCTION "private"."read_entry"(uuid) IS 'Returns the entry with an id as the caller sees it; no row if they may not see it.';

COMMENT ON VIEW "nectar"."readable_entries" IS 'Entries as the caller sees them, with times as the API sends them. Content that the caller may not see is null, and so is a mood that was found in it; its pictures are not counted. Only the author and super admins see an entry that is hidden by moderation. Nullable: notebook_id, team_id, org_id, mood, mood_source, moderation, content.';

REVOKE ALL ON FUNCTION "private"."list_entries"(jsonb, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_entries"(jsonb, jsonb) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."list_entries_on_this_day"(date, timestamp with time zone, bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_entries_on_this_day"(date, timestamp with time zone, bigint) TO "nectar_user";

REVOKE ALL ON FUNCTION "private"."read_entry"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_entry"(uuid) TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."readable_entries" TO "nectar_user";

ALTER TABLE "nectar"."journal_entry_contents" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."journal_entry_contents" ADD CONSTRAINT "journal_entry_contents_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX journal_entry_contents_author ON nectar.journal_entry_contents USING btree (user_id);

CREATE POLICY "a person writes content of their own" ON "nectar"."journal_entry_contents" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the author edits content" ON "nectar"."journal_entry_contents" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."journal_entry_contents" ADD COLUMN "words" integer GENERATED ALWAYS AS (private.count_words(content)) STORED NOT NULL;

ALTER TABLE "nectar"."journal_entry_contents" ADD COLUMN "metadata_audience_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."journal_entry_contents" ADD COLUMN "content_audience_id" uuid NOT NULL DEFAULT private.actor_id();

CREATE POLICY "content is seen by its author and both its audiences" ON "nectar"."journal_entry_contents" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (private.is_reached(metadata_audience_id, user_id, ( SELECT private.my_audiences() AS my_audiences), ( SELECT private.blocked_users() AS blocked_users)) AND ((content_audience_id = metadata_audience_id) OR (content_audience_id = private.public_audience()) OR (content_audience_id = ANY (( SELECT private.my_audiences() AS my_audiences)::uuid[]))) AND (( SELECT (private.withdrawn_shares() = '{}'::uuid[])) OR ((private.member_share(user_id, content_audience_id) <> ALL (( SELECT private.withdrawn_shares() AS withdrawn_shares)::uuid[])) AND private.can_see_entry(entry_id)))) OR ( SELECT private.sees_unshared() AS sees_unshared)));

ALTER TABLE "nectar"."notebooks" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."notebooks" ADD CONSTRAINT "notebooks_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE VIEW "nectar"."readable_notebooks" WITH (security_invoker=true) AS  SELECT n.id,
    n.user_id,
    n.name,
    n.description,
    n.metadata_visibility,
    n.content_visibility,
    n.team_id,
    n.org_id,
    n.ai_excluded_default,
    c.template,
    (c.notebook_id IS NULL) AS content_hidden,
    ( SELECT count(*) AS count
           FROM ( SELECT
                   FROM nectar.journal_entries e
                  WHERE ((e.notebook_id = n.id) AND (e.metadata_audience_id = ANY (( SELECT private.audiences_in_notebook(n.id) AS audiences_in_notebook)::uuid[])))
                 LIMIT 1000) counted) AS entry_count,
        CASE
            WHEN (n.hidden_at IS NOT NULL) THEN 'hidden'::nectar.moderation_state
            ELSE NULL::nectar.moderation_state
        END AS moderation,
    n.created_at,
    n.updated_at
   FROM (nectar.notebooks n
     LEFT JOIN nectar.notebook_contents c ON ((c.notebook_id = n.id)));

CREATE OR REPLACE FUNCTION private.list_notebooks(p_scope text, p_after timestamp with time zone, p_after_id uuid, p_max integer)
 RETURNS SETOF nectar.readable_notebooks
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    select n.*
    from unnest((select private.newest_visible_notebooks(p_scope, p_after, p_after_id, '-infinity', p_max)))
      with ordinality page (id, place)
    join nectar.readable_notebooks n on n.id = page.id
    order by page.place;
end $function$;

CREATE INDEX notebooks_own ON nectar.notebooks USING btree (user_id, created_at DESC, id DESC);

CREATE POLICY "a person creates notebooks of their own" ON "nectar"."notebooks" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the author deletes a notebook" ON "nectar"."notebooks" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the author edits a notebook" ON "nectar"."notebooks" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

COMMENT ON FUNCTION "private"."list_notebooks"(text, timestamp with time zone, uuid, integer) IS 'Returns a page of the notebooks that the caller may see, newest first, after a row (its time and id).';

COMMENT ON VIEW "nectar"."readable_notebooks" IS 'Notebooks with the number of those entries that the caller may see, counted up to 1,000. A template that the caller may not see is null. Nullable: description, team_id, org_id, template, moderation.';

REVOKE ALL ON FUNCTION "private"."list_notebooks"(text, timestamp with time zone, uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_notebooks"(text, timestamp with time zone, uuid, integer) TO "nectar_user";

GRANT SELECT ON TABLE "nectar"."readable_notebooks" TO "nectar_user";

ALTER TABLE "nectar"."notebooks" ADD COLUMN "metadata_audience_id" uuid NOT NULL DEFAULT private.actor_id();

CREATE INDEX notebooks_audience ON nectar.notebooks USING btree (metadata_audience_id, created_at DESC, id DESC) INCLUDE (user_id);

CREATE INDEX notebooks_newest_first ON nectar.notebooks USING btree (created_at DESC, id DESC) INCLUDE (user_id, metadata_audience_id);

CREATE TRIGGER notebooks__record_sharing AFTER INSERT OR UPDATE ON nectar.notebooks FOR EACH ROW WHEN (((new.user_id = private.actor_id()) AND (new.metadata_audience_id <> new.user_id) AND (new.metadata_visibility <> 'public'::nectar.visibility))) EXECUTE FUNCTION private.record_acting_member('metadata_audience_id');

CREATE POLICY "a notebook is seen by its author and its audience" ON "nectar"."notebooks" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR private.is_reached(metadata_audience_id, user_id, ( SELECT private.my_audiences() AS my_audiences), ( SELECT private.blocked_users() AS blocked_users)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

COMMENT ON COLUMN "nectar"."notebooks"."metadata_audience_id" IS 'Who besides the author sees the notebook; kept by trigger.';

ALTER TABLE "nectar"."notebooks" ADD COLUMN "content_audience_id" uuid NOT NULL DEFAULT private.actor_id();

COMMENT ON COLUMN "nectar"."notebooks"."content_audience_id" IS 'Who besides the author sees the template, given they see the notebook; kept by trigger.';

ALTER TABLE "nectar"."notification_settings" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."notification_settings" ADD CONSTRAINT "notification_settings_pkey" PRIMARY KEY (user_id);

ALTER TABLE "nectar"."notification_settings" ADD CONSTRAINT "notification_settings_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE POLICY "a person changes their own notification settings" ON "nectar"."notification_settings" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own notification settings" ON "nectar"."notification_settings" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person writes their own notification settings" ON "nectar"."notification_settings" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."organizations" ADD COLUMN "owner_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."organizations" ADD CONSTRAINT "organizations_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES nectar.profiles(id);

ALTER TABLE "nectar"."organizations" ADD CONSTRAINT "organizations_owner_is_member" FOREIGN KEY (id, owner_id) REFERENCES nectar.organization_members(org_id, user_id) DEFERRABLE INITIALLY DEFERRED;

CREATE INDEX organizations_owner ON nectar.organizations USING btree (owner_id);

CREATE POLICY "anyone creates an organization of their own" ON "nectar"."organizations" FOR INSERT TO "nectar_user" WITH CHECK ((owner_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "members see their organization" ON "nectar"."organizations" FOR SELECT TO "nectar_user" USING (((id IN ( SELECT private.my_organization_ids() AS my_organization_ids)) OR (owner_id = ( SELECT private.actor_id() AS actor_id)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "the owner deletes an organization" ON "nectar"."organizations" FOR DELETE TO "nectar_user" USING (((owner_id = ( SELECT private.actor_id() AS actor_id)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

CREATE POLICY "the owner edits an organization" ON "nectar"."organizations" FOR UPDATE TO "nectar_user" USING (((owner_id = ( SELECT private.actor_id() AS actor_id)) OR ( SELECT private.is_super_admin() AS is_super_admin)));

ALTER TABLE "nectar"."team_messages" ADD COLUMN "sender_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."team_messages" ADD CONSTRAINT "team_messages_sender_id_fkey" FOREIGN KEY (sender_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX team_messages_of_sender ON nectar.team_messages USING btree (sender_id);

CREATE POLICY "people of a room who are human write messages" ON "nectar"."team_messages" FOR INSERT TO "nectar_user" WITH CHECK (((sender_id = ( SELECT private.actor_id() AS actor_id)) AND private.is_human(sender_id) AND ((team_id = ANY (( SELECT private.my_audiences() AS my_audiences)::uuid[])) OR ((squad_id IS NOT NULL) AND private.is_in_squad(squad_id)) OR ((num_nonnulls(entry_id, goal_id) = 1) AND private.require_commentable(entry_id, goal_id)))));

CREATE POLICY "readers of a room see messages, not hidden or blocked ones" ON "nectar"."team_messages" FOR SELECT TO "nectar_user" USING (((sender_id = ( SELECT private.actor_id() AS actor_id)) OR ((hidden_at IS NULL) AND (sender_id <> ALL (( SELECT private.blocked_users() AS blocked_users)::uuid[])) AND ((team_id = ANY (( SELECT private.my_audiences() AS my_audiences)::uuid[])) OR ((squad_id IS NOT NULL) AND private.is_in_squad(squad_id)) OR ((num_nonnulls(entry_id, goal_id) = 1) AND private.can_see_content(entry_id, goal_id)))) OR (( SELECT private.is_super_admin() AS is_super_admin) AND ((num_nonnulls(team_id, squad_id) = 1) OR private.can_see_content(entry_id, goal_id)))));

GRANT SELECT ("sender_id") ON TABLE "nectar"."team_messages" TO "nectar_user";

ALTER TABLE "nectar"."teams" ADD COLUMN "admin_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."teams" ADD CONSTRAINT "teams_admin_id_fkey" FOREIGN KEY (admin_id) REFERENCES nectar.profiles(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE "nectar"."teams" ADD CONSTRAINT "teams_admin_is_member" FOREIGN KEY (id, admin_id) REFERENCES nectar.team_members(team_id, user_id) DEFERRABLE INITIALLY DEFERRED;

CREATE INDEX teams_admin ON nectar.teams USING btree (admin_id);

CREATE TRIGGER teams__enroll_admin AFTER INSERT OR UPDATE OF admin_id ON nectar.teams FOR EACH ROW EXECUTE FUNCTION private.enroll_team_admin();

CREATE POLICY "team admins remove others, and members leave" ON "nectar"."team_members" FOR DELETE TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (((team_id IN ( SELECT private.my_administered_team_ids() AS my_administered_team_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)) AND (NOT (EXISTS ( SELECT
   FROM nectar.teams t
  WHERE ((t.id = team_members.team_id) AND (t.admin_id = team_members.user_id))))))));

CREATE POLICY "organization members create teams" ON "nectar"."teams" FOR INSERT TO "nectar_user" WITH CHECK ((((org_id IN ( SELECT private.my_organization_ids() AS my_organization_ids)) OR ( SELECT private.is_super_admin() AS is_super_admin)) AND private.is_human(admin_id)));

GRANT INSERT ("admin_id") ON TABLE "nectar"."teams" TO "nectar_user";

ALTER TABLE "nectar"."token_usage" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."token_usage" ADD CONSTRAINT "token_usage_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX token_usage_by_time ON nectar.token_usage USING btree (user_id, created_at DESC, id DESC);

CREATE POLICY "a person sees their own usage" ON "nectar"."token_usage" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person's calls are recorded" ON "nectar"."token_usage" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

GRANT INSERT ("user_id") ON TABLE "nectar"."token_usage" TO "nectar_service";

ALTER TABLE "nectar"."tone_pack_images" ADD COLUMN "owner_id" uuid NOT NULL DEFAULT private.actor_id();

CREATE POLICY "the owner adds images to a pack" ON "nectar"."tone_pack_images" FOR INSERT TO "nectar_user" WITH CHECK ((owner_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "the owner replaces images of a pack" ON "nectar"."tone_pack_images" FOR UPDATE TO "nectar_user" USING ((owner_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."tone_pack_shares" ADD COLUMN "owner_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."tone_pack_shares" ADD CONSTRAINT "tone_pack_shares_not_with_owner" CHECK ((user_id <> owner_id));

CREATE POLICY "a share is seen by both sides" ON "nectar"."tone_pack_shares" FOR SELECT TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (owner_id = ( SELECT private.actor_id() AS actor_id))));

CREATE POLICY "both sides may end a share" ON "nectar"."tone_pack_shares" FOR DELETE TO "nectar_user" USING (((user_id = ( SELECT private.actor_id() AS actor_id)) OR (owner_id = ( SELECT private.actor_id() AS actor_id))));

CREATE POLICY "the owner shares a pack with a human, unless there is a block" ON "nectar"."tone_pack_shares" FOR INSERT TO "nectar_user" WITH CHECK (((owner_id = ( SELECT private.actor_id() AS actor_id)) AND private.is_human(user_id) AND (user_id <> ALL (( SELECT private.blocked_users() AS blocked_users)::uuid[]))));

ALTER TABLE "nectar"."tone_packs" ADD COLUMN "owner_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."tone_packs" ADD CONSTRAINT "tone_packs_id_owner_id_key" UNIQUE (id, owner_id);

ALTER TABLE "nectar"."tone_pack_images" ADD CONSTRAINT "tone_pack_images_pack_id_owner_id_fkey" FOREIGN KEY (pack_id, owner_id) REFERENCES nectar.tone_packs(id, owner_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "nectar"."tone_pack_shares" ADD CONSTRAINT "tone_pack_shares_pack_id_owner_id_fkey" FOREIGN KEY (pack_id, owner_id) REFERENCES nectar.tone_packs(id, owner_id) ON DELETE CASCADE;

ALTER TABLE "nectar"."tone_packs" ADD CONSTRAINT "tone_packs_owner_id_fkey" FOREIGN KEY (owner_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE INDEX tone_packs_own ON nectar.tone_packs USING btree (owner_id, created_at DESC, id DESC);

CREATE POLICY "a person creates packs of their own" ON "nectar"."tone_packs" FOR INSERT TO "nectar_user" WITH CHECK ((owner_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "owners, buyers and recipients see a pack, everyone a public one" ON "nectar"."tone_packs" FOR SELECT TO "nectar_user" USING ((((owner_id = ( SELECT private.actor_id() AS actor_id)) AND (deleted_at IS NULL)) OR ((hidden_at IS NULL) AND is_public AND (( SELECT private.actor_id() AS actor_id) IS NOT NULL) AND (owner_id <> ALL (( SELECT private.blocked_users() AS blocked_users)::uuid[]))) OR ((hidden_at IS NULL) AND (id IN ( SELECT private.my_tone_pack_ids() AS my_tone_pack_ids)))));

CREATE POLICY "the owner edits a pack" ON "nectar"."tone_packs" FOR UPDATE TO "nectar_user" USING (((owner_id = ( SELECT private.actor_id() AS actor_id)) AND (deleted_at IS NULL))) WITH CHECK ((owner_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."trashed_entries" ADD COLUMN "expires_at" timestamp(3) with time zone GENERATED ALWAYS AS (private.trash_expires_at(deleted_at)) STORED NOT NULL;

CREATE POLICY "the service removes expired entries" ON "nectar"."trashed_entries" FOR DELETE TO "nectar_service" USING ((expires_at <= now()));

GRANT SELECT ("expires_at") ON TABLE "nectar"."trashed_entries" TO "nectar_service";

ALTER TABLE "nectar"."user_locations" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."user_locations" ADD CONSTRAINT "user_locations_pkey" PRIMARY KEY (user_id);

ALTER TABLE "nectar"."user_locations" ADD CONSTRAINT "user_locations_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE POLICY "a person changes their own location" ON "nectar"."user_locations" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own location" ON "nectar"."user_locations" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sets a location of their own" ON "nectar"."user_locations" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."wellness_entries" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."wellness_entries" ADD CONSTRAINT "wellness_entries_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE VIEW "private"."entry_times" WITH (security_invoker=true) AS  SELECT j.user_id,
    j.created_at
   FROM nectar.journal_entries j
  WHERE (NOT j.is_imported)
UNION ALL
 SELECT w.user_id,
    w.created_at
   FROM nectar.wellness_entries w;

CREATE INDEX wellness_entries_newest_first ON nectar.wellness_entries USING btree (user_id, created_at DESC, id DESC);

CREATE POLICY "a person corrects their own wellness entries" ON "nectar"."wellness_entries" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person deletes their own wellness entries" ON "nectar"."wellness_entries" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own wellness entries" ON "nectar"."wellness_entries" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person writes wellness entries of their own" ON "nectar"."wellness_entries" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

COMMENT ON VIEW "private"."entry_times" IS 'When people wrote journal and wellness entries here; what they import was written elsewhere.';

ALTER TABLE "nectar"."workout_checkin_photos" ADD COLUMN "hash_bands" integer[] GENERATED ALWAYS AS (private.photo_bands(perceptual_hash)) STORED NOT NULL;

ALTER TABLE "nectar"."workout_checkins" ADD COLUMN "battle_chips_earned" integer GENERATED ALWAYS AS (((private.chip_breakdown(status, chain_status, is_early, has_streak) ->> 'earned'::text))::integer) STORED NOT NULL;

COMMENT ON COLUMN "nectar"."workout_checkins"."battle_chips_earned" IS 'Counts for the battle only while the status is verified.';

GRANT SELECT ("battle_chips_earned") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

ALTER TABLE "nectar"."workout_checkins" ADD COLUMN "chip_breakdown" jsonb GENERATED ALWAYS AS (private.chip_breakdown(status, chain_status, is_early, has_streak)) STORED NOT NULL;

COMMENT ON COLUMN "nectar"."workout_checkins"."chip_breakdown" IS '{base, chain, early, streak, raw, earned}: earned is raw rounded down.';

GRANT SELECT ("chip_breakdown") ON TABLE "nectar"."workout_checkins" TO "nectar_user";

ALTER TABLE "nectar"."workout_windows" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "nectar"."workout_windows" ADD CONSTRAINT "workout_windows_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

ALTER TABLE "nectar"."workout_windows" ADD CONSTRAINT "workout_windows_user_id_key" UNIQUE (user_id);

ALTER TABLE "private"."player_areas" ADD CONSTRAINT "player_areas_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.workout_windows(user_id) ON DELETE CASCADE;

CREATE POLICY "a person changes their own window" ON "nectar"."workout_windows" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sees their own window" ON "nectar"."workout_windows" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person sets a window of their own" ON "nectar"."workout_windows" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "private"."email_messages" ADD COLUMN "recipient_hash" bytea GENERATED ALWAYS AS (COALESCE(erased_hash, private.email_address_hash(recipient))) STORED NOT NULL;

COMMENT ON COLUMN "private"."email_messages"."recipient_hash" IS 'See private.email_address_hash.';

GRANT SELECT ("recipient_hash") ON TABLE "private"."email_messages" TO "nectar_service";

ALTER TABLE "private"."idempotency_keys" ADD COLUMN "user_id" uuid NOT NULL DEFAULT private.actor_id();

ALTER TABLE "private"."idempotency_keys" ADD CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY (user_id, route, key);

ALTER TABLE "private"."idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_fkey" FOREIGN KEY (user_id) REFERENCES nectar.profiles(id) ON DELETE CASCADE;

CREATE POLICY "a person completes their own stored responses" ON "private"."idempotency_keys" FOR UPDATE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person reads their own stored responses" ON "private"."idempotency_keys" FOR SELECT TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person replaces their own expired responses" ON "private"."idempotency_keys" FOR DELETE TO "nectar_user" USING ((user_id = ( SELECT private.actor_id() AS actor_id)));

CREATE POLICY "a person stores their own responses" ON "private"."idempotency_keys" FOR INSERT TO "nectar_user" WITH CHECK ((user_id = ( SELECT private.actor_id() AS actor_id)));

ALTER TABLE "nectar"."battles" ADD CONSTRAINT "battles_week_starts_on_monday" CHECK ((week_start_date = private.week_start(week_start_date)));

ALTER TABLE "nectar"."blocks" ADD CONSTRAINT "blocks_not_the_assistant" CHECK ((blocked_id <> private.system_user_id()));

ALTER TABLE "nectar"."team_colors" ADD CONSTRAINT "team_colors_week_starts_on_monday" CHECK ((week_start_date = private.week_start(week_start_date)));

ALTER TABLE "nectar"."tone_pack_images" ADD CONSTRAINT "tone_pack_images_file_path_of_pack" CHECK ((starts_with(file_path, ((((owner_id)::text || '/'::text) || (pack_id)::text) || '/'::text)) OR ((owner_id = private.system_user_id()) AND (split_part(file_path, '/'::text, 2) = (pack_id)::text))));

ALTER TABLE "nectar"."weekly_workout_stats" ADD CONSTRAINT "weekly_workout_stats_week_starts_on_monday" CHECK ((week_start_date = private.week_start(week_start_date)));

ALTER TABLE "nectar"."workout_checkins" ADD CONSTRAINT "workout_checkins_week_is_monday" CHECK ((battle_week_start = private.week_start(battle_week_start)));

ALTER TABLE "private"."assistant_turns" ADD CONSTRAINT "assistant_turns_analyses_in_range" CHECK (((analyses >= 0) AND (analyses <= private.max_analyses_per_day())));

CREATE UNIQUE INDEX encouragement_drops_one_of_assistant_a_day ON nectar.encouragement_drops USING btree (recipient_id, date_sent) WHERE (sender_id = private.system_user_id());

CREATE INDEX goals_public_by_day ON nectar.goals USING btree ((((created_at AT TIME ZONE 'UTC'::text))::date), user_id) WHERE (metadata_audience_id = private.public_audience());

CREATE INDEX journal_entries_public_authors ON nectar.journal_entries USING btree (user_id) WHERE (metadata_audience_id = private.public_audience());

CREATE INDEX journal_entries_public_by_day ON nectar.journal_entries USING btree ((((created_at AT TIME ZONE 'UTC'::text))::date), user_id) WHERE (metadata_audience_id = private.public_audience());

CREATE INDEX journal_entries_public_by_entry_date ON nectar.journal_entries USING btree (entry_date, user_id) WHERE (metadata_audience_id = private.public_audience());

CREATE INDEX journal_entries_search ON nectar.journal_entries USING gin (private.metadata_keys(metadata_audience_id, title, tag_keys, mood)) WITH (fastupdate=off);

CREATE INDEX journal_entry_contents_search ON nectar.journal_entry_contents USING gin (private.content_keys(private.content_audience(user_id, metadata_audience_id, content_audience_id), content, found_mood)) WITH (fastupdate=off);

CREATE INDEX journal_entry_contents_two_groups ON nectar.journal_entry_contents USING btree (metadata_audience_id, content_audience_id) WHERE ((private.content_audience(user_id, metadata_audience_id, content_audience_id) <> user_id) AND (private.content_audience(user_id, metadata_audience_id, content_audience_id) <> metadata_audience_id) AND (private.content_audience(user_id, metadata_audience_id, content_audience_id) <> content_audience_id));

CREATE INDEX notebooks_public_by_day ON nectar.notebooks USING btree ((((created_at AT TIME ZONE 'UTC'::text))::date), user_id) WHERE (metadata_audience_id = private.public_audience());

CREATE INDEX trashed_entries_expiry ON nectar.trashed_entries USING btree (expires_at);

CREATE INDEX workout_checkin_photos_alike ON nectar.workout_checkin_photos USING gin (hash_bands) WITH (fastupdate=off);

CREATE INDEX workout_checkins_of_week ON nectar.workout_checkins USING btree (battle_week_start, date) INCLUDE (user_id, team_color, battle_chips_earned) WHERE (status = 'verified'::nectar.checkin_status);

CREATE INDEX workout_checkins_players ON nectar.workout_checkins USING btree (date, user_id) INCLUDE (status, battle_chips_earned);

CREATE INDEX email_messages_of_address ON private.email_messages USING btree (recipient_hash);

CREATE INDEX email_messages_to_recipient ON private.email_messages USING btree (user_id, recipient_hash, created_at DESC);
