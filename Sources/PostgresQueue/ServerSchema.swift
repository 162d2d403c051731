/// The tables and functions of a queue, in a schema of their own. What changes together is one function: one round
/// trip, one transaction.
enum ServerSchema {
  /// It increases with each change.
  static let version = 1

  /// Makes or changes it; any number of programs may do so at once.
  static let migration = """
    DO $migration$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('workbench migration', 0));
      CREATE SCHEMA IF NOT EXISTS workbench;
      CREATE TABLE IF NOT EXISTS workbench.format (version integer NOT NULL);
      IF EXISTS (SELECT 1 FROM workbench.format WHERE version > \(version)) THEN
        RAISE EXCEPTION 'the queue was made by a later version of this program';
      END IF;
      IF NOT EXISTS (SELECT 1 FROM workbench.format) THEN
        -- Small rows that change often; what is in them is elsewhere.
        CREATE TABLE workbench.operations (
          operation bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          key text,
          state smallint NOT NULL DEFAULT 0,
          -- Whether no earlier one has its key.
          head boolean NOT NULL,
          -- How often it was leased: whoever has an earlier number writes nothing any more.
          fence bigint NOT NULL DEFAULT 0,
          owner text,
          leased_until timestamptz,
          attempts integer NOT NULL DEFAULT 0,
          due timestamptz NOT NULL DEFAULT clock_timestamp(),
          offline boolean NOT NULL DEFAULT false,
          created timestamptz NOT NULL DEFAULT clock_timestamp(),
          failure text
        ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
                autovacuum_vacuum_cost_delay = 0);
        CREATE INDEX operations_ready ON workbench.operations (due, operation) WHERE state = 0 AND head;
        CREATE INDEX operations_leased ON workbench.operations (leased_until) WHERE state = 1;
        CREATE INDEX operations_offline ON workbench.operations (operation) WHERE offline;
        CREATE INDEX operations_by_key ON workbench.operations (key, operation) WHERE key IS NOT NULL;

        -- What an operation is made from, with markers in place of secrets.
        CREATE TABLE workbench.setups (
          operation bigint PRIMARY KEY REFERENCES workbench.operations ON DELETE CASCADE,
          kind text NOT NULL, name text NOT NULL, setup text NOT NULL);

        -- What its steps have come to: the rows of a RunStore.
        CREATE TABLE workbench.records (
          operation bigint NOT NULL REFERENCES workbench.operations ON DELETE CASCADE,
          place text NOT NULL, record text NOT NULL, PRIMARY KEY (operation, place));

        -- Large bodies, by digest, in parts.
        CREATE TABLE workbench.bodies (
          operation bigint NOT NULL REFERENCES workbench.operations ON DELETE CASCADE,
          digest text NOT NULL, part integer NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (operation, digest, part));
        ALTER TABLE workbench.bodies ALTER COLUMN bytes SET STORAGE EXTERNAL;
        INSERT INTO workbench.format VALUES (\(version));
      END IF;

      -- Numbers are given in the order of commits within a key: the second waits for the first.
      CREATE OR REPLACE FUNCTION workbench.add(its_key text, its_kind text, its_name text, its_setup text)
      RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE number bigint; is_head boolean := true;
      BEGIN
        IF its_key IS NOT NULL THEN
          PERFORM pg_advisory_xact_lock(hashtextextended(its_key, 1));
          is_head := NOT EXISTS (SELECT 1 FROM workbench.operations WHERE key = its_key);
        END IF;
        INSERT INTO workbench.operations (key, head) VALUES (its_key, is_head) RETURNING operation INTO number;
        INSERT INTO workbench.setups VALUES (number, its_kind, its_name, its_setup);
        RETURN number;
      END $$;

      CREATE OR REPLACE FUNCTION workbench.hold(number bigint, its_fence bigint)
      RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM 1 FROM workbench.operations
          WHERE operation = number AND fence = its_fence AND state = 1 FOR UPDATE;
        IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'WB001', MESSAGE = number::text; END IF;
      END $$;

      CREATE OR REPLACE FUNCTION workbench.leave(number bigint) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE its_key text;
      BEGIN
        DELETE FROM workbench.operations WHERE operation = number RETURNING key INTO its_key;
        IF its_key IS NOT NULL THEN
          UPDATE workbench.operations SET head = true WHERE operation =
            (SELECT min(operation) FROM workbench.operations WHERE key = its_key);
        END IF;
      END $$;

      -- Whoever adds under the same key meanwhile waits, and then sees that it is the first.
      CREATE OR REPLACE FUNCTION workbench.lock_key_of(number bigint) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE its_key text;
      BEGIN
        SELECT key INTO its_key FROM workbench.operations WHERE operation = number;
        IF its_key IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtextextended(its_key, 1)); END IF;
      END $$;

      -- Those of earlier programs.
      DROP FUNCTION IF EXISTS workbench.lease(text, double precision);
      DROP FUNCTION IF EXISTS workbench.record(bigint, bigint, text[], text[], text[], text);
      DROP FUNCTION IF EXISTS workbench.complete(bigint, bigint);

      -- All that the jobs of a worker tell and ask at a time. Each operation is named with its fence: of those whose
      -- fence is an earlier one nothing is written, and they are returned as lost. Statistics may be those of an empty
      -- table: there is one good way to find each of these rows, by an index.
      CREATE OR REPLACE FUNCTION workbench.turn(
        numbers bigint[], fences bigint[], complete boolean[], failures text[],
        of_numbers bigint[], places text[], texts text[],
        its_owner text, seconds double precision, wanted integer)
      RETURNS TABLE (
        lost bigint, operation bigint, kind text, name text, key text, state smallint, attempts integer,
        due double precision, created double precision, failure text, fence bigint, setup text,
        is_any_running boolean, next_due double precision)
      LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
      #variable_conflict use_column
      DECLARE held bigint[]; keys text[]; chosen bigint[]; now timestamptz;
      BEGIN
        IF cardinality(numbers) > 0 THEN
          IF true = ANY (complete) THEN
            -- Whoever adds under the same key meanwhile waits, and then sees that it is the first.
            PERFORM pg_advisory_xact_lock(k.hash) FROM (
              SELECT DISTINCT hashtextextended(o.key, 1) AS hash
              FROM unnest(numbers, complete) AS mine (number, is_complete)
              JOIN workbench.operations o ON o.operation = mine.number
              WHERE mine.is_complete AND o.key IS NOT NULL ORDER BY 1) AS k;
          END IF;
          held := ARRAY(
            SELECT o.operation FROM unnest(numbers, fences) AS mine (number, fence)
            JOIN workbench.operations o ON o.operation = mine.number
            WHERE o.fence = mine.fence AND o.state = 1 ORDER BY o.operation FOR UPDATE OF o);
          FOR lost IN SELECT mine.number FROM unnest(numbers) AS mine (number) WHERE mine.number <> ALL (held) LOOP
            RETURN NEXT;
          END LOOP;
          lost := NULL;
          IF cardinality(places) > 0 THEN
            IF array_position(texts, NULL) IS NOT NULL THEN
              DELETE FROM workbench.records r USING unnest(of_numbers, places, texts) AS news (number, place, text)
                WHERE news.text IS NULL AND r.operation = news.number AND r.place = news.place
                  AND r.operation = ANY (held);
            END IF;
            INSERT INTO workbench.records AS r (operation, place, record)
              SELECT news.number, news.place, news.text FROM unnest(of_numbers, places, texts) AS news (number, place, text)
              WHERE news.text IS NOT NULL AND news.number = ANY (held)
              ON CONFLICT ON CONSTRAINT records_pkey DO UPDATE SET record = excluded.record;
          END IF;
          IF array_length(array_remove(failures, NULL), 1) > 0 THEN
            UPDATE workbench.operations o SET failure = mine.failure
              FROM unnest(numbers, failures) AS mine (number, failure)
              WHERE mine.failure IS NOT NULL AND o.operation = mine.number AND o.operation = ANY (held);
          END IF;
          IF true = ANY (complete) THEN
            WITH gone AS (
              DELETE FROM workbench.operations o USING unnest(numbers, complete) AS mine (number, is_complete)
              WHERE mine.is_complete AND o.operation = mine.number AND o.operation = ANY (held) RETURNING o.key)
            SELECT array_agg(DISTINCT gone.key) INTO keys FROM gone WHERE gone.key IS NOT NULL;
            IF keys IS NOT NULL THEN
              UPDATE workbench.operations o SET head = true WHERE o.operation IN (
                SELECT (SELECT min(n.operation) FROM workbench.operations n WHERE n.key = k.key)
                FROM unnest(keys) AS k (key));
            END IF;
          END IF;
        END IF;
        IF wanted > 0 THEN
          now := clock_timestamp();
          chosen := ARRAY(
            SELECT o.operation FROM workbench.operations o WHERE o.state = 1 AND o.leased_until < now
            ORDER BY o.leased_until LIMIT wanted FOR UPDATE SKIP LOCKED);
          IF cardinality(chosen) < wanted THEN
            chosen := chosen || ARRAY(
              SELECT o.operation FROM workbench.operations o WHERE o.state = 0 AND o.head AND o.due <= now
              ORDER BY o.due, o.operation LIMIT wanted - cardinality(chosen) FOR UPDATE SKIP LOCKED);
          END IF;
          IF cardinality(chosen) > 0 THEN
            UPDATE workbench.operations o
              SET state = 1, owner = its_owner, fence = o.fence + 1, attempts = o.attempts + 1,
                leased_until = now + make_interval(secs => seconds)
              WHERE o.operation = ANY (chosen);
            RETURN QUERY
              SELECT NULL::bigint, o.operation, s.kind, s.name, o.key, o.state, o.attempts,
                extract(epoch FROM o.due)::double precision, extract(epoch FROM o.created)::double precision, o.failure,
                o.fence, s.setup, NULL::boolean, NULL::double precision
              FROM workbench.operations o JOIN workbench.setups s ON s.operation = o.operation
              WHERE o.operation = ANY (chosen) ORDER BY o.due, o.operation;
          END IF;
          IF cardinality(chosen) < wanted THEN
            is_any_running := EXISTS (SELECT 1 FROM workbench.operations o WHERE o.state = 1);
            next_due := extract(epoch FROM least(
              (SELECT min(o.due) FROM workbench.operations o WHERE o.state = 0 AND o.head),
              (SELECT min(o.leased_until) FROM workbench.operations o WHERE o.state = 1)) - now);
            RETURN NEXT;
          END IF;
        END IF;
      END $$;

      CREATE OR REPLACE FUNCTION workbench.settle(
        number bigint, its_fence bigint, its_state smallint, seconds double precision, counts boolean, is_offline boolean,
        its_failure text)
      RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM workbench.hold(number, its_fence);
        UPDATE workbench.operations SET state = its_state, owner = NULL, leased_until = NULL,
          due = clock_timestamp() + make_interval(secs => seconds), offline = is_offline,
          attempts = attempts - CASE WHEN counts THEN 0 ELSE 1 END, failure = coalesce(its_failure, failure)
          WHERE operation = number;
      END $$;

      CREATE OR REPLACE FUNCTION workbench.free(number bigint) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE its_state smallint;
      BEGIN
        SELECT state INTO its_state FROM workbench.operations WHERE operation = number FOR UPDATE;
        IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'WB003', MESSAGE = number::text; END IF;
        IF its_state = 1 THEN RAISE EXCEPTION USING ERRCODE = 'WB002', MESSAGE = number::text; END IF;
      END $$;

      CREATE OR REPLACE FUNCTION workbench.revive(number bigint) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM workbench.free(number);
        UPDATE workbench.operations SET state = 0, attempts = 0, due = clock_timestamp() WHERE operation = number;
      END $$;

      CREATE OR REPLACE FUNCTION workbench.drop(number bigint) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM workbench.lock_key_of(number);
        PERFORM workbench.free(number);
        PERFORM workbench.leave(number);
      END $$;
    END $migration$
    """
}
