const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Functions that only compute from what they are given; whatever else a query calls may do anything. */
export const COMPUTING_FUNCTIONS = set(
  `count sum total avg min max group_concat string_agg array_agg json_agg jsonb_agg json_group_array json_group_object
  json_object_agg bool_and bool_or every stddev stddev_pop stddev_samp variance var_pop var_samp median percentile_cont
  percentile_disc mode abs round ceil ceiling floor mod power pow sqrt exp ln log log10 log2 sign trunc random rand length
  char_length character_length octet_length lower upper trim ltrim rtrim btrim replace substr substring instr position strpos
  printf format hex unhex quote char chr unicode ascii coalesce ifnull nullif iif if concat concat_ws typeof cast convert date
  time datetime julianday strftime unixepoch timediff timestamp date_trunc date_part extract to_char to_date to_number
  to_timestamp now age from_unixtime unix_timestamp date_format year month day hour minute second dayofweek week datediff
  date_add date_sub timestampdiff curdate curtime make_date json json_extract json_array json_array_length json_object
  json_type json_valid json_each json_tree json_quote json_remove json_patch json_set json_insert json_replace json_pretty
  json_keys json_unquote json_contains jsonb json_build_object jsonb_build_object json_build_array jsonb_build_array
  json_array_elements jsonb_array_elements jsonb_each json_each_text jsonb_each_text jsonb_object_keys json_object_keys
  json_extract_path_text jsonb_extract_path_text jsonb_array_length jsonb_typeof to_json to_jsonb row_to_json row_number rank
  dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value like glob likelihood likely unlikely
  changes last_insert_rowid sqlite_version total_changes zeroblob randomblob generate_series version current_database
  current_schema database schema user pg_size_pretty pg_total_relation_size pg_relation_size pg_database_size to_regclass
  split_part left right lpad rpad reverse repeat initcap md5 sha1 sha2 greatest least unnest array_length array_to_string
  string_to_array cardinality regexp_replace regexp_matches regexp_like bm25 highlight snippet find_in_set field elt
  pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_index_xinfo
  pragma_foreign_key_list pragma_database_list pragma_function_list pragma_collation_list pragma_compile_options
  varchar character decimal numeric int integer bigint smallint text real float double bit`,
);

/** Words that may stand before a parenthesis without calling anything. */
export const GRAMMAR_WORDS = set(
  `in values over filter exists and or not as from join on using where when then else case between any all some union except
  intersect select by having limit offset with recursive materialized distinct partition order is lateral array row group end
  escape collate interval window rows range groups preceding following`,
);

/** Words that make a statement change something wherever they stand in it. */
export const CHANGING_WORDS = set('insert update delete merge into outfile dumpfile');

/** Settings of SQLite that are only looked at when they are given no value. */
export const READ_PRAGMAS = set(
  `user_version application_id schema_version data_version journal_mode page_count page_size freelist_count max_page_count
  encoding foreign_keys auto_vacuum cache_size synchronous busy_timeout database_list collation_list compile_options
  function_list module_list pragma_list table_list`,
);

/** Of SQLite: what these are given is the name of what they look at. */
export const INSPECTING_PRAGMAS = set(
  `table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check integrity_check
  quick_check`,
);

/** Commands of SQLite's shell that show something or change how it is shown. */
export const READ_DOT_COMMANDS = set(
  `tables schema indexes indices databases headers header mode dump fullschema show help nullvalue separator width timer stats
  changes echo eqp explain bail binary print version lint limit timeout dbinfo sha3sum exit quit`,
);
