import { describe, expect, it } from 'vitest';
import { analyzeCommand } from '../index.ts';

const classOf = (line: string): string => analyzeCommand(line).class;
const readsOf = (line: string): readonly (string | null)[] => analyzeCommand(line).reads.map(({ path }) => path);

describe('a look into a database', () => {
  it.each([
    `sqlite3 a.db ".tables"`,
    `sqlite3 -header -column a.db "SELECT * FROM t WHERE x LIKE '%;--' LIMIT 5"`,
    `sqlite3 a.db 'SELECT sql FROM sqlite_master' '.schema t'`,
    `sqlite3 -readonly -separator '|' a.db "select replace(a, 'b', 'c'), count(*) from t group by 1; select 2;"`,
    `sqlite3 a.db "WITH RECURSIVE n(i, j) AS (SELECT 1, 2 UNION ALL SELECT i + 1, j FROM n LIMIT 9) SELECT max(i) FROM n"`,
    `sqlite3 a.db "PRAGMA table_info(users)" "pragma main.user_version;"`,
    `sqlite3 a.db "EXPLAIN QUERY PLAN SELECT * FROM t"`,
    `sqlite3 a.db "SELECT name FROM pragma_table_info('t') -- what is there"`,
    `sqlite3 a.db <<'EOF'\n.headers on\nSELECT *\nFROM t;\n-- done\n.schema\nEOF`,
    `sqlite3 -cmd '.mode csv' a.db 'select 1'`,
    `sqlite3 -cmd '.mode csv' a.db <<'EOF'\n.tables\nEOF`,
    `sqlite3 --version`,
    `psql -h db -U me -d app -c "SELECT count(*) FROM users WHERE id IN (1, 2)"`,
    `psql -c '\\dt public.*'`,
    `psql -l`,
    `mysql -u root -e "SHOW TABLES" app`,
    `mysql -e 'SELECT * FROM t\\G'`,
  ])('%s is one', (line) => {
    expect(classOf(line)).toBe('read');
  });

  it.each([
    `sqlite3 a.db`,
    `sqlite3 a.db < dump.sql`,
    `echo 'select 1' | sqlite3 a.db`,
    `sqlite3 a.db "DELETE FROM t"`,
    `sqlite3 a.db "SELECT 1; DROP TABLE t"`,
    `sqlite3 a.db "SELECT 1" "DROP TABLE t"`,
    `sqlite3 a.db "SELECT 'a''b'; DELETE FROM t --'"`,
    `sqlite3 a.db "SELECT writefile('x', 'y')"`,
    `sqlite3 a.db 'SELECT "writefile"(1, 2)'`,
    `sqlite3 a.db "SELECT [load_extension]('x')"`,
    `sqlite3 a.db "SELECT load_extension /* x */ ('x')"`,
    `sqlite3 a.db "SELECT edit('x')"`,
    `sqlite3 a.db "SELECT readfile('/etc/passwd')"`,
    `sqlite3 a.db "ATTACH 'b.db' AS b"`,
    `sqlite3 a.db "VACUUM INTO 'b.db'"`,
    `sqlite3 a.db "PRAGMA user_version = 5"`,
    `sqlite3 a.db "PRAGMA user_version(5)"`,
    `sqlite3 a.db "PRAGMA writable_schema"`,
    `sqlite3 a.db "PRAGMA wal_checkpoint"`,
    `sqlite3 a.db "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x"`,
    `sqlite3 a.db "REPLACE INTO t VALUES (1)"`,
    `sqlite3 a.db "EXPLAIN"`,
    `sqlite3 a.db ".shell rm x"`,
    `sqlite3 a.db ".output x" "SELECT 1"`,
    `sqlite3 a.db ".once x"`,
    `sqlite3 a.db ".import x t"`,
    `sqlite3 a.db ".open b.db"`,
    `sqlite3 a.db ".load ./x"`,
    `sqlite3 a.db ".tab"`,
    `sqlite3 a.db $'.tables\\n.shell rm x'`,
    `sqlite3 a.db $'SELECT 1;\\n .shell rm x'`,
    `sqlite3 -cmd '.shell rm x' a.db 'select 1'`,
    `sqlite3 -cmd '.shell rm x' a.db <<'EOF'\n.tables\nEOF`,
    `sqlite3 -cmd '.shell rm x' -version`,
    `sqlite3 -init x a.db 'select 1'`,
    `sqlite3 -A a.db`,
    `sqlite3 -vfs x a.db 'select 1'`,
    `sqlite3 "$DB" 'select 1'`,
    `sqlite3 a.db "SELECT * FROM t WHERE id = '$ID'"`,
    `sqlite3 a.db $X`,
    `sqlite3 'file:a.db?vfs=x' 'select 1'`,
    `find . -name '*.db' | xargs sqlite3`,
    `sqlite3 a.db <<'EOF'\n.print ok\n.system rm x\nEOF`,
    `sqlite3 a.db <<'EOF'\nSELECT 'a\n.print '\n; DELETE FROM t; SELECT '\n';\nEOF`,
    `sqlite3 a.db <<'EOF'\n# '\nDELETE FROM t;\nEOF`,
    `sqlite3 a.db <<'EOF'\nSELECT 1\ngo\n.system rm x\nEOF`,
    `sqlite3 a.db <<'EOF'\nSELECT 1\n/\n.system rm x\nEOF`,
    `sqlite3 a.db <<EOF\nSELECT $X;\nEOF`,
    `psql -c 'DROP TABLE t'`,
    `psql -f x.sql`,
    `psql -c 'SELECT 1' -o out`,
    `psql -c "SELECT pg_read_file('x')"`,
    `psql -c "SELECT nextval('s')"`,
    `psql -c 'SELECT * INTO b FROM a'`,
    `psql -c '\\! rm x'`,
    `psql -c '\\dt \`rm x\`'`,
    `psql -c 'SELECT 1 \\g |sh'`,
    `psql -c "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"`,
    `psql -c 'SELECT public.f()'`,
    `psql -c 'SELECT $$a$$'`,
    `mysql -e "SELECT 1 INTO OUTFILE 'x'"`,
    `mysql -e "SELECT load_file('x')"`,
    `mysql -e '/*! DROP TABLE t */'`,
    `mysql -e 'system rm x'`,
    `mysql -e "$SQL"`,
    `mysql -e 'SELECT 1' --tee=x`,
    `mysql app < x.sql`,
  ])('%s may do anything', (line) => {
    expect(classOf(line)).toBe('unknown');
  });

  it('names the file that it looks into', () => {
    expect(readsOf(`sqlite3 -json data/a.db 'select 1'`)).toEqual(['data/a.db']);
    expect(readsOf(`sqlite3 'file:a.db?mode=ro' 'select 1'`)).toEqual(['a.db']);
    expect(readsOf(`sqlite3 :memory: 'select 1'`)).toEqual([]);
    expect(analyzeCommand(`sqlite3 a.db 'select 1'`).network).toBe('no');
    expect(analyzeCommand(`psql -c 'select 1'`).network).toBe('yes');
  });

  it('takes a text of any length in one go', () => {
    const long = `sqlite3 a.db "SELECT ${"'a''".repeat(12_001)}"`;
    expect(classOf(long)).toBe('unknown');
    expect(classOf(`sqlite3 a.db "${'/*'.repeat(20_000)}"`)).toBe('unknown');
    expect(classOf(`mysql -e 'SELECT 1 \\G${' '.repeat(60_000)}x'`)).toBe('unknown');
    expect(classOf(`mysql -e 'SELECT 1 \\G${' '.repeat(30_000)};${' '.repeat(30_000)}'`)).toBe('read');
    expect(classOf(`sqlite3 a.db "SELECT ${'(1),'.repeat(8_000)} 1"`)).toBe('read');
    expect(classOf(`sqlite3 a.db "WITH ${'a(b) as (select 1),'.repeat(3_000)} c as (select 1) select 1"`)).toBe('read');
  });
});
